#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A process of many threads is killed while xtrace attaches, traces or leaves.
xtrace ends, although the kernel reports the end of the leader only after the
ends of the other threads.

TIMEOUT: 300
"""
import random
import signal
import time

import case

ROUNDS = 20


def begin(program):
    subject = case.start(program, 'counters', limit=150)
    subject.wait_for('ready')
    return subject


def killed(subject):
    case.equal(subject.wait(), 128 + signal.SIGKILL, "the subject's end")


def while_attaching(program, delay):
    subject = begin(program)
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    time.sleep(delay)
    subject.signal(signal.SIGKILL)
    case.true(tracer.wait() in (0, 1), 'xtrace ends as one that was attached '
              'or as one that came too late')
    killed(subject)


def while_leaving(program, delay):
    subject = begin(program)
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(lambda: any(' f(' in row for row in tracer.lines()) or
               not tracer.child.alive(), 'calls are traced')
    if delay < 0:
        tracer.send(signal.SIGINT)
        time.sleep(-delay)
        subject.signal(signal.SIGKILL)
    else:
        subject.signal(signal.SIGKILL)
        time.sleep(delay)
        tracer.send(signal.SIGINT)
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says of it')
    killed(subject)


def test():
    program = case.build('attach-detach.c')
    chance = random.Random(1)
    for _ in range(ROUNDS):
        while_attaching(program, chance.uniform(0.01, 0.08))
        while_leaving(program, chance.uniform(-0.004, 0.001))


case.main(test)
