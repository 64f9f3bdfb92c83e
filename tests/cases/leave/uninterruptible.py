#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A thread waits uninterruptibly while xtrace leaves. If it waits in a system
call of its own, xtrace leaves without it. If it forks, or waits for its vfork
child, xtrace waits for it, and nothing of xtrace is left.

TIMEOUT: 120
"""
import signal
import time

import case
import child

SKIPPED = 77
HELD = 0.8  # seconds; if too short, the test shows less
# xtrace waits for a thread for 1.5 seconds (leave_wait_begin()), counted from
# when it leaves. If more time has passed since the signal, the test is repeated.
GIVES_UP = 1.5
ROUNDS = 10


def held(kind):
    """The subject and its tracer, when the thread waits; (None, None) if the
    machine does not allow this."""
    subject = case.start(case.build('uninterruptible.c'), kind)
    try:
        subject.wait_for('ready')
    except case.Failure:
        case.finish(subject, SKIPPED)
        return None, None
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.wait_planted(subject.pid, tracer)
    subject.say('go')
    tid = subject.wait_for('held').split()[1]
    path = f'/proc/{subject.pid}/task/{tid}/status'
    case.until(lambda: child.status_field(path, 'State')[0] == 'D',
               f'{kind}: the thread waits uninterruptibly')
    return subject, tracer


def nothing_left(kind, subject, tracer):
    case.same_text(subject.pid)
    case.equal(case.own_memory(subject.pid), [], f'{kind}: memory of xtrace')
    case.equal(tracer.says(), [], f'{kind}: what xtrace says')


def test_in_call(kind):
    """Tests a kind of wait. Returns False if the machine does not allow it."""
    subject, tracer = held(kind)
    if not subject:
        return False
    tracer.leave(signal.SIGINT, 0)
    nothing_left(kind, subject, tracer)
    subject.say('on')
    case.finish(subject, 0)
    return True


def wait_for(kind, subject, tracer):
    """Lets the thread continue when xtrace waits for it. Returns False if the
    thread continued too late."""
    begun = time.monotonic()
    tracer.send(signal.SIGINT)
    case.until(lambda: not case.text_changes(subject.pid), 'xtrace leaves')
    time.sleep(max(0, begun + HELD - time.monotonic()))
    subject.say('on')
    subject.wait_for('over')
    in_time = time.monotonic() - begun < GIVES_UP
    tracer.wait(0)
    if in_time:
        nothing_left(kind, subject, tracer)
    case.finish(subject, 0)
    return in_time


def test_waited_for(kind):
    for _ in range(ROUNDS):
        subject, tracer = held(kind)
        if not subject:
            return False
        if wait_for(kind, subject, tracer):
            return True
    return case.fail(f'{kind}: {ROUNDS} times the thread was let go too late')


def test():
    tried = [test_in_call('madvise'), test_waited_for('fork'),
             test_waited_for('vfork')]
    if not all(tried):
        case.skip('userfaultfd(2) is not allowed here')


case.main(test)
