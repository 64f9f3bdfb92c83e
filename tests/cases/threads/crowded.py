#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Attaches to threads of which many wait for a CPU. Each is looked at for calls
in flight, for which it stops; meanwhile the others have their turns. How many
that are must not grow with how many threads there are: counted is how often a
thread had to leave its CPU to another.

TIMEOUT: 200
"""
import case
import child

THREADS = 40
# One by one it is two for each of the others.
TURNS = THREADS / 2


def turns(pid):
    tids = child.threads(pid)
    return sum(int(child.status_field(f'/proc/{pid}/task/{tid}/status',
                                      'nonvoluntary_ctxt_switches'))
               for tid in tids) / len(tids)


def test():
    subject = case.start(case.build('crowded.c'), THREADS, limit=150)
    subject.wait_for('ready')
    tracer = case.Tracer(['-D', 'tracer', '-x', 'f', '-p', str(subject.pid)],
                         limit=150)
    case.wait_planted(subject.pid, tracer)
    before = turns(subject.pid)
    tracer.child.wait_for('stacks were read', 'err')
    had = turns(subject.pid) - before
    print(f'{had:.1f} turns a thread')
    case.true(had < TURNS, f'{had:.1f} turns are few')
    subject.say()
    tracer.wait(0)
    case.finish(subject, 5)
    case.true(any('f(4' in line for line in tracer.lines()), 'a call is traced')


case.main(test)
