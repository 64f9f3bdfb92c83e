#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""No sleeping system call is interrupted by attaching, tracing or leaving."""
import signal

import case


def check(subject, what):
    case.finish(subject)
    rows = subject.out.split('ready\n')[1].splitlines()
    case.equal(len(rows), 12, 'calls that ended')
    bad = [row for row in rows if ' right full:' not in row]
    if bad:
        case.fail(f'{what}:', *bad)


def test():
    program = case.build('blocked.c')
    subject = case.start(program)
    subject.wait_for('ready')
    check(subject, 'untraced')

    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    check(subject, 'attached')
    tracer.wait(0)
    case.true(len(tracer.calls()) > 100, 'calls were traced')

    subject = case.start(program)
    subject.wait_for('ready')
    left = 0
    while left < 3:
        tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
        try:
            case.wait_planted(subject.pid, tracer)
        except OSError:
            # On a busy machine the subject's system calls may have ended, and
            # the subject with them, before xtrace plants its breakpoints. Then
            # start a new subject.
            tracer.wait()
            check(subject, f'attached and left {left} times')
            subject = case.start(program)
            subject.wait_for('ready')
            continue
        tracer.leave(signal.SIGINT, 0)
        left += 1
    check(subject, 'attached and left three times')


case.main(test)
