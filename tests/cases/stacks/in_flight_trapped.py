#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Threads run into the traps while xtrace searches for calls in flight. A
thread that is in a trap is in no call in flight: each call is shown once.

TIMEOUT: 120
"""
import collections
import re

import case

ROUNDS = 8


def one_round(subject):
    tracer = case.Tracer(['-F', 'p.conf', '--limit', '100', '-x', 'f', '-p',
                          str(subject.pid)])
    tracer.wait(0)
    shown = collections.defaultdict(list)
    lines = tracer.lines()
    for line in lines:
        call = re.match(r'(\d+) f\((\d+)(?!.*in flight)', line)
        if call:
            shown[call[1]].append(int(call[2]))
    case.true(len(lines) >= 100, f'{len(lines)} lines')
    for row in lines:
        case.true('<unwound>' not in row, f'{row} among {lines[:12]}')
    for tid, numbers in shown.items():
        case.equal(numbers, list(range(numbers[0], numbers[0] +
                                       len(numbers))), f'calls of {tid}')


def test():
    program = case.build('in_flight_trapped.c')
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    subject = case.start(program)
    subject.wait_for('ready')
    for _ in range(ROUNDS):
        one_round(subject)
    subject.say('stop')
    case.finish(subject)


case.main(test)
