#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace gives its watcher the highest priority that it may: when xtrace is
killed, the traps must not stay until other programs have had their turns.

NEEDS: plain
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import kills                                                # noqa: E402

FIRST = -20


def allowed(change):
    """True if a child of this test may call change()."""
    child = os.fork()
    if child == 0:
        try:
            change()
        except PermissionError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def priority(pid):
    return os.sched_getscheduler(pid), os.getpriority(os.PRIO_PROCESS, pid)


def expected(usual):
    """The priority that the watcher has if that of xtrace is `usual`."""
    policy, nice = usual
    if allowed(lambda: os.sched_setscheduler(0, os.SCHED_FIFO,
                                             os.sched_param(1))):
        return os.SCHED_FIFO, nice
    if allowed(lambda: os.setpriority(os.PRIO_PROCESS, 0, FIRST)):
        return policy, FIRST
    return usual


def test():
    subject = case.start(case.build('../../leave/support/loop.c'))
    subject.wait_for('ready')
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(lambda: tracer.path.exists() and tracer.path.stat().st_size,
               'something is traced')
    usual = priority(tracer.pid)
    # The watcher has its name when it has set its priority.
    watcher = case.until(kills.watcher, 'the watcher runs')
    case.equal(priority(watcher), expected(usual),
               'the priority of the watcher')
    case.equal(usual, priority(0), 'that of xtrace')
    tracer.leave()
    subject.say('stop')
    case.finish(subject, 3)


case.main(test)
