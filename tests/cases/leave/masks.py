#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Threads that block all signals have virtual masks while xtrace traces them:
in the kernel they do not block SIGTRAP. When xtrace has left, /proc says of
each thread what it said before.

TIMEOUT: 60
"""
import collections
import os
import pathlib

import case

POOLS = pathlib.Path(os.environ['TESTS']) / 'kills' / 'pools.c'
ROUNDS, THREADS = 4, 4
# xtrace gives a thread its virtual mask before this many traced calls.
MANY = 25
TRAP_BIT = 1 << 4
# The signals that the C library blocks only while it creates a thread.
OF_LIBRARY = 3 << 31


def masks(pid):
    return {tid: case.child.status_field(f'/proc/{pid}/task/{tid}/status',
                                         'SigBlk')
            for tid in case.child.threads(pid)}


def blocked(pid):
    """How many threads block SIGTRAP in the kernel."""
    return sum(int(mask, 16) & TRAP_BIT != 0 for mask in masks(pid).values())


def many_calls(tracer):
    """True if many calls of each thread of the pool are traced."""
    of = collections.Counter(row.split()[0] for row in tracer.lines()
                             if ' f(' in row)
    return sum(calls > MANY for calls in of.values()) == THREADS


def test():
    subject = case.start(case.build(POOLS), 'pool', 2, THREADS)
    subject.wait_for('ready')
    case.until(lambda: blocked(subject.pid) == THREADS and not any(
        int(mask, 16) & OF_LIBRARY for mask in masks(subject.pid).values()),
               'the pool blocks SIGTRAP')
    before = masks(subject.pid)
    for _ in range(ROUNDS):
        tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
        case.until(lambda: many_calls(tracer), 'calls are traced')
        case.equal(blocked(subject.pid), 0, 'threads that block SIGTRAP')
        tracer.leave()
        case.equal(masks(subject.pid), before, 'the masks')
    subject.say('stop')
    case.finish(subject)


case.main(test)
