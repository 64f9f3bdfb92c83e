#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of system calls has the numbers and names of the kernel's header,
each call of a class is in the table, and each has a prototype.

NEEDS: /usr/include/x86_64-linux-gnu/asm/unistd_64.h
TIMEOUT: 60
"""
import pathlib
import re
import subprocess

import case

TOP = case.TESTS.parent
HEADER = pathlib.Path('/usr/include/x86_64-linux-gnu/asm/unistd_64.h')
TABLE = TOP / 'arch/x86_64/system_call_names.c'
CLASSES = ['file', 'desc', 'net', 'process', 'memory', 'signal', 'ipc']


def run(*words):
    return subprocess.run([case.XTRACE, *words], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=case.FOLDER, timeout=case.LIMIT)


def test():
    ours = {int(number): name for number, name in
            re.findall(r'\[(\d+)\] = "(\w+)"', TABLE.read_text())}
    header = {int(number): name for name, number in
              re.findall(r'#define __NR_(\w+) (\d+)', HEADER.read_text())}
    case.equal({number: ours.get(number) for number in header}, header,
               'names by number')
    case.equal(len(set(ours.values())), len(ours), 'names, each once')
    for name in CLASSES:
        done = run('-L', f'--syscalls=%{name}', '-o', 'trace', 'true')
        case.equal((done.returncode, done.stderr), (0, ''), name)
    files = [TOP / 'etc/syscalls.conf', *(TOP / 'etc/parts').glob('libc-*')]
    known = set(re.findall(r'(?:^|[\s*)])(\w+)\(|^alias (\w+) =',
                           '\n'.join(map(pathlib.Path.read_text, files)),
                           re.M))
    known = {name for names in known for name in names}
    case.equal(sorted(set(ours.values()) - known), [], 'without a prototype')
    for name in ('openat', 'brk', 'rt_sigaction'):
        done = run('-F', TOP / 'etc', '--show-prototype', f'{name}@SYS')
        case.true(f' {name}(' in done.stdout, done.stdout)


case.main(test)
