#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""SIGSTOP and SIGCONT stop and continue a process of many threads as without
xtrace. All threads stay stopped until SIGCONT, even if xtrace leaves, is
killed or attaches while the process is stopped.

NEEDS: plain
TIMEOUT: 120
"""
import os
import signal

import case

ROUNDS = 3
MOMENT = 200  # reads of the states while no call may happen


class Counters:
    def __init__(self, path):
        self.path = path

    def calls(self):
        data = self.path.read_bytes()
        return [int.from_bytes(data[at:at + 8], 'little')
                for at in range(0, 512, 64)]


def states(pid):
    return {case.child.status_field(f'/proc/{pid}/task/{tid}/status',
                                    'State')[0]
            for tid in case.child.threads(pid)}


def traced(pid):
    return case.child.status_field(f'/proc/{pid}/status', 'TracerPid') != '0'


def stands(subject, counters, wanted):
    case.until(lambda: states(subject.pid) <= set(wanted),
               f'all threads stand, {wanted}')
    before = counters.calls()
    for _ in range(MOMENT):
        states(subject.pid)
    case.equal(counters.calls(), before, 'calls while it stands')


def goes_on(counters):
    before = counters.calls()
    case.until(lambda: all(now > was + 5 for was, now in
                           zip(before, counters.calls())), 'all go on')


def stop(subject):
    os.kill(subject.pid, signal.SIGSTOP)
    _, status = os.waitpid(subject.pid, os.WUNTRACED)
    case.true(os.WIFSTOPPED(status) and os.WSTOPSIG(status) ==
              signal.SIGSTOP, f'its parent hears of it: {status}')


def test():
    subject = case.start(case.build('attach-detach.c'), 'counters', limit=150)
    subject.wait_for('ready')
    counters = Counters(case.FOLDER / 'counters')
    for number in range(ROUNDS):
        tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
        case.until(lambda: len(tracer.lines()) > 20 or
                   not tracer.child.alive(), 'calls are traced')
        for _ in range(2):
            stop(subject)
            stands(subject, counters, 'tT')
            os.kill(subject.pid, signal.SIGCONT)
            goes_on(counters)
        stop(subject)
        if number % 2:
            tracer.send(signal.SIGKILL)
            tracer.wait()
        else:
            tracer.leave()
            case.same_text(subject.pid)
        stands(subject, counters, 'T')
        # Attaching to a stopped process does not wake it.
        tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
        case.until(lambda: traced(subject.pid), 'it is attached')
        stands(subject, counters, 'tT')
        os.kill(subject.pid, signal.SIGCONT)
        goes_on(counters)
        case.until(lambda: len(tracer.lines()) > 20 or
                   not tracer.child.alive(), 'calls are traced again')
        tracer.leave()
        case.same_text(subject.pid)
        goes_on(counters)
    subject.say('stop')
    case.finish(subject)


case.main(test)
