#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The uncertainty of a duration covers its error. Each call measures its own
length, and the duration that xtrace tells may differ from it by the uncertainty
that xtrace tells with it. A rare stop is disturbed by something that nobody can
see, so a few calls may differ by more.

In a process with one thread no duration is certain: the kernel counts the CPU
time in whole microseconds, for the program's code and for its own. In a sum
these errors cancel out, so the sum of the durations of brief calls is not less
than what they measured, except for a part of a microsecond for each call. (It
may be more: a thread that loses its CPU to another program does so in the call
or in the stop.)

With several threads the CPU time is not known. If the machine becomes slow
between two trial stops, nothing tells it, so how many durations are covered
then is printed, and not compared.
"""
import json
import os

import case

EACH = 500  # calls of each length
COVERED = 0.97
LEAST = 2e-6
LAG = 1e-6  # half of what any stop costs, at least
# Of the sum of many calls.
BRIEF = 10000  # nanoseconds
LESS = 0.25e-6  # seconds for each call, at most
# The clock of the call is read within it, so the call is longer by some
# instructions.
ENDS = 3e-7


def calls(program, *more):
    tracer = case.trace('--json', '-x', 'spin',
                        command=[program, str(EACH), *more])
    tracer.wait(0)
    told = [int(word) / 1e9 for word in tracer.child.out.split()]
    rows = [row for row in map(json.loads, tracer.lines())
            if row['event'] == 'call']
    case.equal((len(told), len(rows)), (4 * EACH, 4 * EACH), 'calls')
    return list(zip(told, rows))


def check_sum(program):
    tracer = case.trace('--summary', '--json', '-x', 'spin',
                        command=[program, str(EACH), str(BRIEF)])
    tracer.wait(0)
    told = [int(word) / 1e9 for word in tracer.child.out.split()]
    row, = [row for row in map(json.loads, tracer.lines())
            if row['event'] == 'row']
    case.equal(row['calls'], len(told), 'calls of the row')
    print(f'{row["total"]:.6f} s of {sum(told):.6f} s')
    case.true(row['total'] >= sum(told) - LESS * len(told),
              f'{row["total"]} s, but the calls measured {sum(told)} s')


def wrong_of(found, what):
    wrong = [(took, row['duration'], row['uncertainty']) for took, row in found
             if abs(row['duration'] - took) > row['uncertainty'] + ENDS]
    print(f'{what}: {len(wrong)} of {len(found)}')
    return wrong


def check_uncertain(found, least):
    certain = [row for _, row in found if row['uncertainty'] < least]
    case.equal(certain[:3], [], f'{len(certain)} durations are too certain')


def test():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    program = case.build('measured.c')
    check_sum(program)
    found = calls(program)
    wrong = wrong_of(found, 'one thread')
    case.true(len(wrong) <= (1 - COVERED) * len(found),
              f'{len(wrong)} of {len(found)} durations are wrong by more than '
              f'their uncertainty: {wrong[:5]}')
    check_uncertain(found, LEAST)
    found = calls(program, 'threads')
    wrong_of(found, 'two threads')
    check_uncertain(found, LAG)


case.main(test)
