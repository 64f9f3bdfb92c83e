#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace opens an ELF file once in a run, even if many processes map it.

NEEDS: strace plain
TIMEOUT: 60
"""
import re

import case


def test():
    log = case.FOLDER / 'log'
    run = case.start('strace', '-o', log, '-e',
                     'trace=open,openat,openat2', case.XTRACE, '-f', '-x',
                     'nothing_of_that_name', '-o', 'trace', '--', '/bin/sh',
                     '-c', 'for i in 1 2 3 4 5 6 7 8; do /bin/true; done')
    case.equal(run.wait(), 0, 'status')
    opened = {}
    for line in log.read_text().splitlines():
        found = re.search(r'"([^"]*)".*= \d+', line)
        if found and re.search(r'libc\.so\.6$|/exe$|map_files|/root/',
                               found.group(1)):
            opened[found.group(1)] = opened.get(found.group(1), 0) + 1
    names = ' '.join(f'{name} x{many}' for name, many in opened.items())
    files = [many for name, many in opened.items() if 'libc.so.6' in name]
    # The file may be opened again for its identity (an fstat follows), but not
    # to be read.
    case.true(sum(files) <= 2, f'opens of libc.so.6: {names}')


case.main(test)
