#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--flame with -S: a system call is a leaf above the library call that makes it.
"""
import re

import case

FRAME = re.compile(r' data-d="(\d+)" [^>]*><title>([^<\n]*)')


def test():
    tracer = case.trace('--flame=calls.svg', '--stack=calls', '--weight=calls',
                        '-Sgetppid', '-x', 'outer',
                        command=[case.build('sums.c', variant='wide')])
    tracer.wait(0)
    frames = FRAME.findall((case.FOLDER / 'calls.svg').read_text())
    depths = {name.split(' ')[0]: int(depth) for depth, name in frames}
    case.true('outer' in depths and 'getppid@SYS' in depths, f'{frames}')
    case.equal(depths['getppid@SYS'], depths['outer'] + 1, f'{frames}')
    case.equal(depths['getppid@SYS'], max(depths.values()), f'{frames}')


case.main(test)
