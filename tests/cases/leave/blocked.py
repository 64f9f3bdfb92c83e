#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""No sleeping system call is interrupted by attaching, tracing or leaving. If
the calls' own time limit ends before the test is done, because the machine is
busy, the test is repeated with a longer limit.

TIMEOUT: 120
"""
import signal

import case

SPANS = (1500, 5000, 15000)  # ms: the time limits of the calls
MANY = 100  # calls of f to be traced before the limit ends
LEAVES = 3


def begin(program, span):
    subject = case.start(program, span)
    subject.wait_for('ready')
    return subject


def check(subject, what):
    case.finish(subject)
    rows = subject.out.split('ready\n')[1].splitlines()
    case.equal(len(rows), 12, 'calls that ended')
    bad = [row for row in rows if ' right full:' not in row]
    if bad:
        case.fail(f'{what}:', *bad)


def attached(program, span):
    subject = begin(program, span)
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    check(subject, 'attached')
    status = tracer.wait()
    if len(tracer.calls()) <= MANY:
        return False
    case.equal(status, 0, 'status of xtrace')
    return True


def left(program, span):
    subject = begin(program, span)
    for number in range(LEAVES):
        tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
        try:
            case.wait_planted(subject.pid, tracer)
        except OSError:  # the subject has ended
            pass
        if not subject.alive():
            tracer.wait()
            check(subject, f'attached and left {number} times')
            return False
        tracer.leave(signal.SIGINT, 0)
    check(subject, f'attached and left {LEAVES} times')
    return True


def test():
    program = case.build('blocked.c')
    check(begin(program, SPANS[0]), 'untraced')
    for way in attached, left:
        if not any(way(program, span) for span in SPANS):
            case.fail(f'{way.__name__}: {SPANS[-1]} ms are not enough')


case.main(test)
