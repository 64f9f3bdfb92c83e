#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace interrupts threads, here to read their stacks (--sample). A call that
such an interrupt has ended is made again by the kernel. It is one call of the
trace: also a call of i386 that a 64-bit program makes.

TIMEOUT: 60
"""
import re

import case

ROUNDS = 5000
LINE = re.compile(r'^(?:\d+ +)?(?:compat_)?(read|write)@SYS\(4\d\b')


def lines(program, kind):
    tracer = case.trace('-L', '-Sread+write+compat_*', '--sample=2000',
                        '--folded=stacks',
                        command=[program, kind, str(ROUNDS)])
    tracer.wait(0)
    return [LINE.match(line)[1] for line in tracer.lines() if LINE.match(line)]


def test():
    program = case.build('turns.c')
    for kind in 'own', 'i386':
        if case.untraced(program, kind, '1')[0] == 77:
            continue
        made = lines(program, kind)
        for name in 'read', 'write':
            case.equal(made.count(name), 2 * ROUNDS + 1, f'{kind}: {name}')


case.main(test)
