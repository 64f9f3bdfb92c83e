#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tests tests/lib/durations.py. Its bounds hold on a busy machine, whether or
not a duration includes the time that xtrace held the thread. Wrong durations
break them: too short ones on any machine, too long ones on an idle machine.

TIMEOUT: 60
"""
import random

import case
import durations

REPLY = 0.0001  # seconds that a call takes in addition to its sleep
CLIENT = 0.00005  # seconds of the client in addition to the call
HELD = 0.134
NAN = float('nan')
SLEPT = durations.mixed()


def reported(held=0):
    return [slept + REPLY + held for slept in SLEPT]


def measured(lost=lambda: 0, held=0):
    return [slept + REPLY + CLIENT + held + lost() for slept in SLEPT]


def faults(ours, theirs):
    """How many durations break their bounds."""
    many = 0
    for slept, one, other in zip(SLEPT, ours, theirs):
        try:
            durations.check('a call', one, other, slept)
        except case.Failure:
            many += 1
    return many


def holds(ours, theirs, what):
    case.equal(faults(ours, theirs), 0, f'calls out of bounds, {what}')


def breaks(ours, theirs, what):
    case.true(faults(ours, theirs), f'a bound is broken: {what}')


def check_right(lost):
    holds(reported(), measured(), 'idle')
    holds(reported(), measured(lost), 'busy')
    holds(reported(), measured(lost, HELD), 'without the held time')
    holds(reported(HELD), measured(lost, HELD), 'with the held time')
    holds([[one / 3] * 3 for one in reported()], measured(), 'three calls')


def too_short():
    right = reported()
    return {'no duration': [0] * len(right),
            'no duration of calls below a millisecond':
            [one if one >= 0.001 else 0 for one in right],
            'half of it': [one / 2 for one in right],
            'a millisecond less': [max(0, one - 0.001) for one in right],
            'the previous call': [0, *right[:-1]],
            'the next call': [*right[1:], 0],
            'not a number': [NAN, *right[1:]],
            'without the sleep': [REPLY] * len(right)}


def too_long():
    right = reported()
    return {'two calls': [one + other for one, other in
                          zip(right, [0, *right])],
            'twice the duration': [2 * one for one in right],
            'a little more than was measured':
            [one + CLIENT + 0.000002 for one in right],
            'since the first call': [sum(right[:at + 1])
                                     for at in range(len(right))]}


def test():
    noise = random.Random(18)  # the seed gives the same noise in each run

    def lost():
        return noise.expovariate(200)
    for _ in range(20):
        check_right(lost)
        for what, ours in too_short().items():
            breaks(ours, measured(lost), f'{what}, busy')
    for what, ours in {**too_short(), **too_long()}.items():
        breaks(ours, measured(), what)


case.main(test)
