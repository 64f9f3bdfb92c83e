#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""SIGSTOP and SIGCONT have the same effect on a traced program as on an
untraced one.
"""
import os
import signal

import case


def state(pid):
    return case.child.status_field(f'/proc/{pid}/status', 'State')[0]


def stands(pid):
    return state(pid) in 'tT'


def test():
    program = case.build('stops.c')
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f')
    for number in range(5):
        os.kill(subject.pid, signal.SIGSTOP)
        case.until(lambda: stands(subject.pid), 'it stops')
        subject.say('go')
        before = len(subject.out)
        os.kill(subject.pid, signal.SIGCONT)
        subject.wait_for(f'turn {number}')
        case.true(before <= len(subject.out), 'it goes on')
    tracer.leave()
    # xtrace leaves while the process is stopped: the process stays stopped,
    # and SIGCONT continues it.
    tracer = case.attach(subject, '-x', 'f')
    os.kill(subject.pid, signal.SIGSTOP)
    case.until(lambda: stands(subject.pid), 'it stops')
    tracer.leave()
    case.until(lambda: state(subject.pid) == 'T', 'it is still stopped')
    case.same_text(subject.pid)
    # Attaching to a stopped process does not wake it.
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.wait_planted(subject.pid, tracer, subject.command[0])
    case.true(stands(subject.pid), 'it is still stopped')
    subject.say('go')
    os.kill(subject.pid, signal.SIGCONT)
    subject.wait_for('turn 5')
    subject.close_input()
    case.finish(subject, 6)
    tracer.wait(0)
    case.equal(case.count(tracer.calls(), 'f(%any'), 1,
               'calls after the last attach')


case.main(test)
