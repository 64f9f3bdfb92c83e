#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed while it traces a program that has no loader but a SIGTRAP
handler of its own. The program gets each of its own signals, before, during
and after the tracing, and ends as it should. It is traced from its start, or
xtrace attaches to it. After each kill xtrace attaches again, and after the
last one it leaves.

NEEDS: plain
TIMEOUT: 240
"""
import signal

import case

ROUNDS = 15
SOME = 2000  # bytes of the trace
STATUS = 3
FILTERS = ('f', 'trapped', 'f+trapped')


def have_calls(tracer):
    case.until(lambda: tracer.path.exists() and
               tracer.path.stat().st_size >= SOME, 'calls are traced')


def attach(pid, rule):
    """The subject runs all the time, so traced calls tell that xtrace is
    attached."""
    tracer = case.Tracer(['-x', rule, '-p', str(pid)])
    have_calls(tracer)
    return tracer


def attached(program):
    child = case.start(program)
    child.wait_for('pid')
    for number in range(ROUNDS):
        tracer = attach(child.pid, FILTERS[number % 3])
        tracer.send(signal.SIGKILL)
        tracer.wait()
        case.true(child.alive(), f'alive after {number} kills')
    tracer = attach(child.pid, 'f')
    tracer.leave()
    case.same_text(child.pid)
    child.say('stop')
    child.wait_for('its own')
    case.finish(child, STATUS)


def started(program):
    """The subject has no parent after the kill of xtrace, but still has the
    pipes to this test."""
    tracer = case.trace('-x', 'f+trapped', command=[program])
    pid = int(tracer.child.wait_for('pid').split()[1])
    have_calls(tracer)
    tracer.send(signal.SIGKILL)
    case.until(lambda: not tracer.child.alive(), 'xtrace has ended')
    again = attach(pid, 'f')
    again.leave()
    case.same_text(pid)
    tracer.child.say('stop')
    tracer.child.wait_for('its own')
    case.until(lambda: (case.child.status_field(f'/proc/{pid}/status', 'State')
                        or 'Z')[0] == 'Z', 'the subject ends')
    tracer.wait()


def test():
    for variant in ('static', 'static-pie'):
        program = case.build('static.c', folder=case.FOLDER / variant,
                             variant=variant)
        attached(program)
        for _ in range(ROUNDS):
            started(program)


case.main(test)
