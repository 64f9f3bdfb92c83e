#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The time limit of a thread's system call has ended, and the thread waits for
a CPU. In /proc it looks as if it ran its own code. xtrace does not interrupt
the thread before it has run, because the kernel would repeat the call with its
whole limit. This holds at attach, at leave, and if leaving gives up waiting.

The thread has the policy SCHED_IDLE, and processes of the normal policy keep
its CPU busy, so the thread waits for seconds. These processes are stopped until
the thread blocks, and again when xtrace says that the thread waits.

TIMEOUT: 60
"""
import os
import pathlib
import signal

import case

CPU = max(os.sched_getaffinity(0))
HOGS = 8
RECVFROM = '45'


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
        case.until(lambda: self.blocks(), 'recv() blocks')
        self.busy(signal.SIGCONT)

    def blocks(self):
        self.tid = max(case.child.threads(self.pid))
        return self.tid != self.pid and call_of(self.tid) == RECVFROM

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
        row = self.run.wait_for(' after ')
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
