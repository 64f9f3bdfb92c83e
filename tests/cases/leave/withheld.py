#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A thread cannot be stopped for longer than leaving may take, and xtrace says
so in one line: a fork that does not end, a vfork child that does not end, a
thread that is frozen anywhere in its code. The program survives, and runs on
as soon as the thread can. If a thread waits for a page, xtrace does not wait
for it. With --sample alone, which plants nothing, it waits for none of these.

TIMEOUT: 120
"""
import os
import pathlib
import re
import signal
import time

import case
import child

SKIPPED = 77
# Seconds. Leaving takes 1.5 to restore the threads, 0.5 to unmap, and 10 ms for
# each thread. The rest is for a busy machine, where xtrace waits for a CPU; the
# quickest leave that had to wait for a thread has hardly waited for a CPU.
BOUND = 10
LEAST = 2.5
ROUNDS = 6
FREEZER = pathlib.Path('/sys/fs/cgroup/freezer')


def start(kind):
    subject = case.start(case.build('uninterruptible.c'), kind)
    try:
        subject.wait_for('ready')
    except case.Failure:
        case.finish(subject, SKIPPED)
        return None
    return subject


def attach(subject):
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(lambda: tracer.lines() or not tracer.child.alive(),
               'something is traced')
    return tracer


def leave(tracer, what):
    begun = time.monotonic()
    tracer.leave(signal.SIGINT, 0)
    took = time.monotonic() - begun
    print(f'{what}: left after {took:.2f} s')
    case.true(took < BOUND, f'{what}: the time to leave is bounded')
    return took


def end(subject):
    subject.say('on')
    subject.wait_for('over')
    case.finish(subject, 0)


def said(tracer, tid, pid, what):
    lines = tracer.says()
    case.equal(len(lines), 1, f'{what}: lines that xtrace says')
    wanted = rf'xtrace: thread {tid} of process {pid} cannot be stopped \(.*\):'
    case.true(re.match(wanted, lines[0]), f'{what}: {lines[0]}')


def test_held(kind, stays, waits):
    """Adds the time of leaving to `waits`. Returns False if the machine does not
    allow this test."""
    subject = start(kind)
    if not subject:
        return False
    tracer = attach(subject)
    subject.say('go')
    tid = subject.wait_for('held').split()[1]
    path = f'/proc/{subject.pid}/task/{tid}/status'
    case.until(lambda: child.status_field(path, 'State')[0] == 'D',
               f'{kind}: the thread waits uninterruptibly')
    waits.append(leave(tracer, kind))
    case.same_text(subject.pid)
    said(tracer, tid, subject.pid, kind)
    case.equal(bool(case.own_memory(subject.pid)), stays,
               f'{kind}: the thread stays where it is')
    end(subject)
    return True


def test_sampled(kind):
    """--sample seizes every thread, and plants nothing."""
    subject = start(kind)
    if not subject:
        return False
    tracer = case.Tracer(['--sample', '-p', str(subject.pid)])
    case.until(lambda: all(
        child.status_field(f'/proc/{subject.pid}/task/{tid}/status',
                           'TracerPid') != '0'
        for tid in child.threads(subject.pid)), 'all threads are seized')
    subject.say('go')
    tid = subject.wait_for('held').split()[1]
    path = f'/proc/{subject.pid}/task/{tid}/status'
    case.until(lambda: child.status_field(path, 'State')[0] == 'D',
               f'{kind}: the thread waits uninterruptibly')
    leave(tracer, f'{kind} with --sample')
    case.equal(tracer.says(), [], f'{kind}: what xtrace says')
    case.same_text(subject.pid)
    case.equal(case.own_memory(subject.pid), [], f'{kind}: memory of xtrace')
    end(subject)
    return True


def test_page(kind):
    subject = start(kind)
    if not subject:
        return False
    tracer = attach(subject)
    subject.say('go')
    tid = subject.wait_for('held').split()[1]
    path = pathlib.Path(f'/proc/{subject.pid}/task/{tid}/wchan')
    case.until(lambda: path.read_text() in ('handle_userfault', '0'),
               f'{kind}: the thread waits for its page')
    leave(tracer, kind)
    case.same_text(subject.pid)
    case.equal(tracer.says(), [], f'{kind}: what xtrace says')
    case.equal(case.own_memory(subject.pid), [], f'{kind}: memory of xtrace')
    end(subject)
    return True


class Freezer:
    """A freezer of cgroup version 1, which can freeze single threads."""

    def __init__(self):
        self.folder = FREEZER / f'xtrace-{os.getpid()}'
        self.folder.mkdir()

    def take(self, tid):
        (self.folder / 'tasks').write_text(str(tid))

    def set(self, state):
        (self.folder / 'freezer.state').write_text(state)
        case.until(lambda: (self.folder / 'freezer.state').read_text().strip()
                   in (state, 'FREEZING'), f'the group is {state}')

    def remove(self):
        self.set('THAWED')
        for tid in (self.folder / 'tasks').read_text().split():
            (FREEZER / 'tasks').write_text(tid)
        self.folder.rmdir()


def frozen_rounds(subject, freezer, waits):
    """A round may leave code of an injected call; the caller checks the end."""
    waited = 0
    for number in range(ROUNDS):
        tracer = attach(subject)
        time.sleep(number % 4 / 1000)
        freezer.set('FROZEN')
        took = leave(tracer, f'frozen, round {number}')
        if tracer.says():
            waited += 1
            waits.append(took)
        freezer.set('THAWED')
        case.true(subject.alive(), f'alive after round {number}')
    print(f'{waited} of {ROUNDS} times xtrace spoke of a frozen thread')


def test_frozen(waits):
    if not os.access(FREEZER / 'tasks', os.W_OK):
        return False
    subject = start('vfork')
    freezer = Freezer()
    try:
        for tid in child.threads(subject.pid):
            if tid != subject.pid:
                freezer.take(tid)
        frozen_rounds(subject, freezer, waits)
    finally:
        freezer.remove()
    tracer = attach(subject)
    leave(tracer, 'thawed')
    case.same_text(subject.pid)
    case.equal(case.own_memory(subject.pid), [], 'thawed: memory of xtrace')
    subject.say('go')
    subject.wait_for('held')
    end(subject)
    return True


def test():
    waits = []
    tried = [test_held('fork', False, waits), test_held('vfork', True, waits),
             test_sampled('fork'), test_sampled('vfork'),
             test_page('write'), test_page('fault'), test_frozen(waits)]
    case.true(not waits or min(waits) < LEAST,
              f'the quickest leave that had to wait: {waits}')
    if not all(tried):
        case.skip('userfaultfd(2) or the freezer of cgroups does not exist here')


case.main(test)
