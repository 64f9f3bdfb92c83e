#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Attached to threads that block: none of their calls is disturbed, and from
the end of these calls on, all their system calls are seen. Leaving and being
killed disturb none either. The threads have no more seccomp filters than before,
because a filter would stay. A 32-bit program is treated alike.

TIMEOUT: 60
"""
import os
import signal

import case

MARKS = ['getppid', 'getpgid', 'getsid']


def rounds(subject, count):
    for _ in range(count):
        subject.say('go')
        subject.wait_for('done')


def filters(pid):
    """The seccomp mode of each thread, and how many filters it has."""
    return {tid: [case.child.status_field(f'/proc/{pid}/task/{tid}/status', name)
                  for name in ('Seccomp', 'Seccomp_filters')]
            for tid in case.child.threads(pid)}


def seen(tracer):
    return [sum(line.startswith(f'{mark}@SYS(') for line in tracer.calls())
            for mark in MARKS]


def disturbs_none(program):
    subject = case.start(program)
    subject.wait_for('ready')
    before = filters(subject.pid)
    for killed in (False, True, False):
        tracer = case.attach(subject, '-L', '-S')
        rounds(subject, 3)
        case.equal(filters(subject.pid), before, 'seccomp filters')
        if killed:
            case.until(lambda t=tracer: seen(t) == [3, 3, 3], 'all calls')
            tracer.send(signal.SIGKILL)
            tracer.wait()
        else:
            tracer.leave()
            case.equal(seen(tracer), [3, 3, 3], 'calls of each thread')
            case.equal([line for line in tracer.calls() if 'RESTART' in line
                        or 'EINTR' in line], [], 'interrupted calls')
        rounds(subject, 2)
    case.finish(subject, 7)


def test():
    disturbs_none(case.build('waits.c', variant='wide'))
    if os.path.exists('/lib32/libc.so.6'):
        disturbs_none(case.build('waits.c', case.FOLDER / 'narrow', 'narrow'))


case.main(test)
