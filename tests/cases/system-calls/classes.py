#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A class of system calls has the calls that strace's class of this name has:
of the 200 calls that support/common.c makes, both tools show the same.

NEEDS: strace gcc
TIMEOUT: 60
"""
import re
import subprocess

import case

CLASSES = ['file', 'desc', 'net', 'process', 'memory', 'signal', 'ipc']


def calls(name, *command):
    """The names of the calls in the tool's trace."""
    folder = case.FOLDER / f'in-{name}'
    folder.mkdir()
    output = case.FOLDER / f'{name}.trace'
    program = case.build('common.c')
    subprocess.run([*command, '-o', output, program], cwd=folder, check=True,
                   timeout=case.LIMIT)
    found = re.findall(r'^(?:<\.\.\. )?(\w+)(?:@SYS)?[ (]', output.read_text(),
                       re.M)
    return set(found)


def test():
    seen = set()
    for name in CLASSES:
        theirs = calls(f'strace-{name}', 'strace', '-e', f'trace=%{name}')
        ours = calls(f'xtrace-{name}', case.XTRACE, '-L', f'--syscalls=%{name}')
        case.equal(sorted(ours), sorted(theirs), f'the calls of %{name}')
        seen |= ours
    case.true(len(seen) > 100, f'{len(seen)} calls in all')


case.main(test)
