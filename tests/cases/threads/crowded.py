#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Attaches to threads of which many wait for a CPU. xtrace stops each thread
to look for calls in flight, and the other threads run meanwhile. How often a
thread loses its CPU to another thread must not grow with the number of
threads; this is counted. What else the machine does adds to it, so the least of
some attaches counts.

TIMEOUT: 200
"""
import signal

import case
import child

THREADS = 40
# If threads were stopped one by one, there would be two switches for each
# other thread.
TURNS = THREADS / 2


def turns(pid):
    tids = child.threads(pid)
    return sum(int(child.status_field(f'/proc/{pid}/task/{tid}/status',
                                      'nonvoluntary_ctxt_switches'))
               for tid in tids) / len(tids)


ATTACHES = 5


def attach(subject):
    """Attaches, and waits until the stacks were read. Returns xtrace, and how
    often a thread lost its CPU meanwhile, on average."""
    tracer = case.Tracer(['-D', 'tracer', '-x', 'f', '-p', str(subject.pid)],
                         limit=150)
    case.wait_planted(subject.pid, tracer)
    before = turns(subject.pid)
    tracer.child.wait_for('stacks were read', 'err')
    had = turns(subject.pid) - before
    print(f'{had:.1f} turns a thread')
    return tracer, had


def test():
    subject = case.start(case.build('crowded.c'), THREADS, limit=150)
    subject.wait_for('ready')
    tracer, least = attach(subject)
    for _ in range(1, ATTACHES):
        if least < TURNS:
            break
        tracer.child.signal(signal.SIGINT)
        tracer.wait(0)
        tracer, had = attach(subject)
        least = min(least, had)
    case.true(least < TURNS, f'{least:.1f} turns are few')
    subject.say()
    tracer.wait(0)
    case.finish(subject, 5)
    case.true(any('f(4' in line for line in tracer.lines()), 'a call is traced')


case.main(test)
