#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Attaching, tracing, leaving and being killed disturb no system call that
blocks: each comes back with what it should and when it should.

SERIAL: it is about time
TIMEOUT: 60
"""
import os
import pathlib
import signal

import case

KINDS = 68


def all_block(pid):
    """But the thread that makes calls, which mostly does."""
    blocked = 0
    for tid in case.child.threads(pid):
        try:
            path = pathlib.Path(f'/proc/{pid}/task/{tid}/syscall')
            blocked += path.read_text() != 'running\n'
        except OSError:
            pass
    return blocked >= KINDS


def attach(subject, *options):
    tracer = case.Tracer([*options, '-p', str(subject.pid)])
    case.wait_planted(subject.pid, tracer)
    return tracer


class Mode:
    status = 0

    def __init__(self, name, program):
        self.name = name
        self.folder = case.FOLDER / name
        self.folder.mkdir()
        self.program = [program, self.folder]
        self.tracer = None
        self.subject = None

    def start(self):
        self.subject = case.start(*self.program)

    def act(self):
        pass

    def check(self):
        run = self.subject or self.tracer.child

        def rows():
            run._pump(0)
            return run.out.split('ready\n')[-1].splitlines()
        # It may outlive xtrace.
        case.until(lambda: len(rows()) == KINDS, f'{self.name}: all calls end')
        case.equal(run.wait(), self.status, f'{self.name}: status')
        bad = [row for row in run.out.split('ready\n')[-1].splitlines()
               if ' right in time:' not in row and ': not here' not in row]
        if bad:
            case.fail(f'{self.name}:', *bad)
        if self.tracer and self.subject:
            self.tracer.wait()


class Attached(Mode):
    def act(self):
        self.tracer = attach(self.subject, '-x', 'f')

    def check(self):
        super().check()
        case.true(len(self.tracer.calls()) > 20,
                  f'{self.name}: calls were traced')


class Left(Mode):
    def act(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            attach(self.subject, '-x', 'f').leave(number)
        case.same_text(self.subject.pid)


class Killed(Mode):
    def act(self):
        for _ in range(3):
            tracer = attach(self.subject, '-x', 'f')
            tracer.send(signal.SIGKILL)
            tracer.child.wait()
        attach(self.subject, '-x', 'f').leave()
        case.same_text(self.subject.pid)


class Started(Mode):
    options = ['-x', 'f']

    def start(self):
        self.tracer = case.trace(*self.options, command=self.program)

    def ready(self):
        """The program's pid: its parent is xtrace."""
        self.tracer.child.wait_for('ready')
        path = f'/proc/{self.tracer.pid}/task/{self.tracer.pid}/children'
        pids = [pid for tid in case.child.threads(self.tracer.pid) for pid in
                pathlib.Path(path.replace(f'task/{self.tracer.pid}',
                                          f'task/{tid}')).read_text().split()]
        return [int(pid) for pid in pids
                if os.path.samefile(f'/proc/{pid}/exe', self.program[0])][0]

    def act(self):
        self.ready()


class Everything(Started):
    """With all of its C library traced."""
    options = ['-x', '*@libc.so.6']


class StartedAndLeft(Started):
    status = 128 + signal.SIGTERM

    def act(self):
        pid = self.ready()
        case.until(lambda: all_block(pid), 'all of them block')
        self.tracer.send(signal.SIGTERM)
        case.until(lambda: case.child.status_field(
            f'/proc/{pid}/status', 'TracerPid') == '0', 'xtrace has left')


def test():
    program = case.build('calls.c')
    modes = [kind(kind.__name__.lower(), program) for kind in
             (Mode, Attached, Left, Killed, Started, Everything,
              StartedAndLeft)]
    for mode in modes:
        mode.start()
        if mode.subject:
            mode.subject.wait_for('ready')
            case.until(lambda: all_block(mode.subject.pid),
                       'all of them block')
        mode.act()
    for mode in modes:
        mode.check()
        print(f'{mode.name}: {KINDS} calls undisturbed')


case.main(test)
