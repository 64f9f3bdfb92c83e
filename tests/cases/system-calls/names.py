#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables of system calls have the numbers and names of the kernel's
headers, each call of a class is in a table, and each has a prototype.

NEEDS: /usr/include/x86_64-linux-gnu/asm/unistd_64.h
TIMEOUT: 60
"""
import pathlib
import re
import subprocess

import case

TOP = case.TESTS.parent
HEADERS = pathlib.Path('/usr/include/x86_64-linux-gnu/asm')
ROW = r'\[(\d+)\] = (?:\{ )?"(\w+)"'
CLASSES = ['file', 'desc', 'net', 'process', 'memory', 'signal', 'ipc']


def run(*words):
    return subprocess.run([case.XTRACE, *words], text=True, check=False,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          cwd=case.FOLDER, timeout=case.LIMIT)


def table(arch, bits):
    """The numbers and names of arch's table, compared with the header."""
    text = (TOP / f'arch/{arch}/system_call_names.c').read_text()
    ours = {int(number): name for number, name in re.findall(ROW, text)}
    header = {int(number): name for name, number in
              re.findall(r'#define __NR_(\w+) (\d+)',
                         (HEADERS / f'unistd_{bits}.h').read_text())}
    case.equal({number: ours.get(number) for number in header}, header,
               f'{arch}: names by number')
    case.equal(len(set(ours.values())), len(ours), f'{arch}: names, each once')
    return set(ours.values())


def prototypes(*files):
    known = set(re.findall(r'(?:^|[\s*)])(\w+)\(|^alias (\w+) =',
                           '\n'.join(map(pathlib.Path.read_text, files)),
                           re.M))
    return {name for names in known for name in names}


def test():
    wide, narrow = table('x86_64', 64), table('i386', 32)
    for name in CLASSES:
        done = run('-L', f'--syscalls=%{name}', '-o', 'trace', 'true')
        case.equal((done.returncode, done.stderr), (0, ''), name)
    files = [TOP / 'etc/syscalls.conf', *(TOP / 'etc/parts').glob('libc-*')]
    case.equal(sorted(wide - prototypes(*files)), [], 'without a prototype')
    case.equal(sorted(narrow - prototypes(TOP / 'etc/32/syscalls.conf',
                                          *files)), [],
               'without a prototype for 32-bit programs')
    for name in ('openat', 'brk', 'rt_sigaction'):
        done = run('-F', TOP / 'etc', '--show-prototype', f'{name}@SYS')
        case.true(f' {name}(' in done.stdout, done.stdout)


case.main(test)
