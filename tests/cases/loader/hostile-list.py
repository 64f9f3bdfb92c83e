#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A loader's list of 200 000 entries that lead nowhere, with names that do not
end: a bounded part of it is read, with one message, and a signal of the user's
is obeyed meanwhile.

TIMEOUT: 100
"""
import signal
import time

import case

# Without bounds, one reading takes minutes.
MOST_SECONDS = 30


def within(began, what):
    took = time.monotonic() - began
    case.true(took < MOST_SECONDS, f'{what} takes {took:.1f} s')


def test():
    program = case.build('hostile_list.c')
    subject = case.start(program)
    subject.wait_for('ready')
    began = time.monotonic()
    tracer = case.attach(subject, '-x', 'f')
    for turn in range(1, 4):
        subject.say('once')
        subject.wait_for(f'turn {turn}')
    within(began, 'reading the list four times')
    subject.say('often')
    began = time.monotonic()
    tracer.leave(signal.SIGTERM)
    within(began, 'leaving')
    case.equal(case.count(tracer.calls(), 'f(%any'), 3, 'calls')
    case.equal(len(tracer.child.err.splitlines()), 1, tracer.child.err)
    case.true("the loader's list of process" in tracer.child.err,
              tracer.child.err)
    subject.kill()


case.main(test)
