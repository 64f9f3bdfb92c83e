#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""C++ exceptions, backtrace() and pthread_cancel through calls that are counted
or left out inside the program (--engine=agent): what the program sees is what it
sees untraced, and each call is counted once.
"""
import re

import case

COUNT = 1500
THREADS = COUNT // 100
# A call in which its thread was cancelled has not ended. Only --summary counts
# such calls.
CALLS = 4 * COUNT + THREADS * 20


def run(subject, *options, engine='agent'):
    config = case.FOLDER / 'unwound.conf'
    config.write_text('int through(addr then, int x);\n')
    tracer = case.trace(f'--engine={engine}', '--stats', '-F', str(config), '-x',
                        'through', *options, command=[subject, str(COUNT)])
    tracer.wait(0)
    inside = re.search(r'inside the programs: (\d+)', str(tracer.says()))
    case.equal(tracer.child.out, case.untraced(subject, str(COUNT))[1],
               f'{options}: output')
    return tracer.lines(), int(inside[1]) if inside else 0


def told(lines):
    """The lines without addresses and threads."""
    return [re.sub(r'^\d+ +|0x[0-9a-f]+', '', line) for line in lines]


def test():
    subject = str(case.build('unwound.cc'))
    for option, calls in ('-c', CALLS), ('--summary', CALLS + THREADS):
        lines, inside = run(subject, option)
        row = [line.split() for line in lines if line.endswith('through')]
        case.true(row and str(calls) in row[0], f'{option}: {lines}')
        case.true(inside > 0.4 * CALLS, f'{option}: {inside} inside')
    for options in (('--if', 'retval == 2'), ('--min-time', '1h')):
        lines, inside = run(subject, *options)
        case.true(inside > 0.3 * CALLS, f'{options}: {inside} inside')
        wanted, _ = run(subject, *options, engine='ptrace')
        for one, other in zip(told(lines), told(wanted)):
            case.equal(one, other, f'{options}')
        case.equal(len(told(lines)), len(told(wanted)), f'{options}: lines')


case.main(test)
