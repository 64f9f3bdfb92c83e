#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Killed while it gets a thread past a site that signals throw it back to:
the thread has its own mask again, and goes on.

TIMEOUT: 120
"""
import random
import signal

import case

ROUNDS = 30


def test():
    random.seed(4)
    program = case.build('killed.c')
    subject = case.start(program)
    subject.wait_for('ready')
    subject.say()
    for number in range(ROUNDS):
        tracer = case.Tracer(['-b', '-x', 'f', '-p', str(subject.pid)])
        size = random.randrange(20, 600)
        case.until(lambda: not tracer.child.alive() or
                   tracer.path.exists() and tracer.path.stat().st_size > size,
                   f'calls are traced, round {number}')
        tracer.send(signal.SIGKILL)
        tracer.child.wait()
        case.true(subject.alive(), f'the program lives after {number} kills')
    tracer = case.attach(subject, '-b', '-x', 'f')
    tracer.leave()
    case.same_text(subject.pid)
    subject.signal(signal.SIGUSR1)
    case.finish(subject)
    case.true('right' in subject.out, subject.out)


case.main(test)
