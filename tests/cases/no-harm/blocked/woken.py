#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The time limit of a thread's system call has ended, and the thread waits for
a CPU. In /proc it looks as if it ran its own code. xtrace does not interrupt
the thread before it has run, because the kernel would repeat the call with its
whole limit. This holds at attach, at leave, and if leaving gives up waiting.

When the thread blocks, its socket gets a longer time limit, so a call that is
repeated lasts much longer.

The thread has the policy SCHED_IDLE, and processes of the normal policy keep
its CPU busy, so the thread waits for seconds. These processes are stopped until
the thread blocks, and again when xtrace says that the thread waits.

TIMEOUT: 120
"""
import os
import pathlib
import re
import signal

import case

CPU = max(os.sched_getaffinity(0))
HOGS = 8
RECVFROM = '45'
NO_THREAD = 0


def call_of(tid):
    try:
        return pathlib.Path(f'/proc/{tid}/syscall').read_text().split()[0]
    except OSError:
        return ''


class Subject:
    """A run of woken.c: its thread blocks in recv(), and its CPU is busy."""

    def __init__(self, program):
        self.run = case.start(program, CPU, HOGS)
        self.pid = self.run.pid
        self.hogs = [int(pid) for pid in
                     self.run.wait_for('hogs').split()[:-1]]
        case.until(lambda: all(
            case.child.status_field(f'/proc/{pid}/status', 'State')[0] == 'T'
            for pid in self.hogs), 'its processes have stopped')
        self.run.say('begin')
        case.until(self.has_blocked, 'recv() blocks')
        self.run.say('longer')
        self.run.wait_for('longer')
        self.busy(signal.SIGCONT)

    def has_blocked(self):
        """True when the thread is in recv(). On a busy machine, its time limit
        may have ended before this test looks; then the test shows less."""
        self.run._pump(0)
        others = set(case.child.threads(self.pid)) - {self.pid}
        self.tid = others.pop() if others else NO_THREAD
        return call_of(self.tid) == RECVFROM or ' after ' in self.run.out

    def busy(self, number):
        for pid in self.hogs:
            os.kill(pid, number)

    def await_woken(self):
        """Waits for the end of recv()'s time limit. The thread may have run."""
        case.until(lambda: call_of(self.tid) in ('running', ''),
                   'the time limit ends')

    def attach(self):
        tracer = case.Tracer(['--debug', 'process', '-x', 'f', '-p',
                              str(self.pid)])
        case.until(lambda: case.text_changes(self.pid) or
                   self.waits(tracer), 'it is planted, or a CPU awaited')
        return tracer

    def waits(self, tracer):
        tracer.child._pump(0)
        return f'{self.tid} waits for a CPU' in tracer.child.err

    def check(self, what):
        case.until(lambda: self.run._pump(0) or
                   re.search(' after .*\n', self.run.out), 'recv() ends')
        row, = [row for row in self.run.out.splitlines() if ' after ' in row]
        print(f'{what}: {row}')
        if not row.startswith('EAGAIN once '):
            case.fail(f'{what}: recv() was disturbed: {row}')
        for pid in self.hogs:
            os.kill(pid, signal.SIGKILL)
        case.finish(self.run)


def test():
    program = case.build('woken.c')

    subject = Subject(program)
    subject.await_woken()
    tracer = subject.attach()
    subject.busy(signal.SIGSTOP)
    case.wait_planted(subject.pid, tracer)
    subject.check('attached')
    tracer.wait(0)

    subject = Subject(program)
    tracer = subject.attach()
    subject.await_woken()
    tracer.send(signal.SIGINT)
    case.until(lambda: subject.waits(tracer) or not tracer.child.alive(),
               'leaving waits')
    subject.busy(signal.SIGSTOP)
    tracer.wait(0)
    subject.check('left')

    subject = Subject(program)
    tracer = subject.attach()
    subject.await_woken()
    tracer.leave()
    subject.busy(signal.SIGSTOP)
    subject.check('given up')


case.main(test)
