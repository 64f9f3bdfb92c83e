#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Attaching, tracing, leaving and being killed disturb no system call that
blocks: each returns the result that it should, not too early, and the thread
that blocks in it does not run meanwhile. The thread's count of context
switches shows this on a machine of any speed. Only if a call's own time limit
ends before the test is done, the test is repeated with a longer limit.

SERIAL: hundreds of threads at once
SLOW: its clients and threads need a machine of their own
TIMEOUT: 600
"""
import os
import pathlib
import signal

import case
import sleepers

KINDS = 68
TRACED = 'calls'
SPANS = (3, 9, 27, 60)


def attach(subject, *options):
    tracer = case.Tracer([*options, '-p', str(subject.pid)])
    case.wait_planted(subject.pid, tracer)
    return tracer


def trace_on(tracer):
    """Waits until 20 more calls have been traced."""
    have = len(tracer.calls())
    case.until(lambda: len(tracer.calls()) > have + 20, 'calls are traced')


class Mode:
    status = 0
    # Calls that the kernel restarts unseen may be interrupted: only what they
    # return is checked, and that the threads block again.
    restarts = False

    def __init__(self, program, span):
        self.name = type(self).__name__.lower()
        self.folder = case.FOLDER / f'{self.name}.{span}'
        self.folder.mkdir()
        self.program = [program, self.folder, span]
        self.tracer = None
        self.run = None  # the child whose output has the rows
        self.pid = 0

    def start(self):
        self.run = case.start(*self.program)
        self.run.wait_for('ready')
        self.pid = self.run.pid

    def act(self):
        pass

    def rows(self):
        if not self.run.popen.stdout.closed:
            self.run._pump(0)
        return self.run.out.split('ready\n')[-1].splitlines()

    def perform(self):
        """False if a call's own time limit ended before the test was done."""
        self.start()
        before = sleepers.asleep(self.pid, lambda count: count == KINDS - 1
                                  or self.rows(), TRACED)
        self.act()
        after = sleepers.of(self.pid, TRACED)
        disturbed = [f'{name}: {before[name]}, then {state}'
                     for name, state in after.items()
                     if name in before and before[name] != state
                     and sleepers.place(before[name]) == sleepers.place(state)]
        if disturbed and not self.restarts:
            case.fail(f'{self.name}: disturbed:', *disturbed)
        self.look_at_rows()
        return (self.restarts or before == after) and len(after) == KINDS - 1

    def look_at_rows(self):
        bad = [row for row in self.rows()
               if ' right in time:' not in row and ': not here' not in row]
        if bad:
            case.fail(f'{self.name}:', *bad)

    def check(self):
        # xtrace may end before the subject has written all rows.
        try:
            case.until(lambda: len(self.rows()) == KINDS, 'all calls end', 60)
        except case.Failure as fault:
            case.fail(f'{self.name}: {fault}, except',
                      *sleepers.of(self.pid).items(),
                      f'{len(self.rows())} rows, then {self.run.wait()}',
                      *self.rows()[-3:], self.run.err[-500:])
        case.equal(self.run.wait(), self.status, f'{self.name}: status')
        self.look_at_rows()
        if self.tracer and self.tracer.child is not self.run:
            self.tracer.wait(0)


class Attached(Mode):
    options = ['-x', 'f']

    def act(self):
        self.tracer = attach(self.run, *self.options)
        trace_on(self.tracer)


class Left(Mode):
    options = ['-x', 'f']

    def act(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            attach(self.run, *self.options).leave(number)
        case.same_text(self.pid)


class Sampled(Mode):
    """xtrace samples: it plants nothing, and stops the thread that runs 999
    times a second.
    """
    options = ()

    def act(self):
        case.Tracer(['--sample=999', *self.options, '--duration', '1s', '-p',
                     str(self.pid)]).wait(0)
        case.same_text(self.pid)


class SampledByClock(Sampled):
    """Threads that block are sampled, too."""
    options = ('--sample-mode=wall',)


class Killed(Mode):
    options = ['-x', 'f']

    def act(self):
        for _ in range(3):
            tracer = attach(self.run, *self.options)
            tracer.send(signal.SIGKILL)
            tracer.child.wait()
        attach(self.run, *self.options).leave()
        case.same_text(self.pid)


class Started(Mode):
    options = ['-x', 'f']

    def start(self):
        self.tracer = case.trace(*self.options, command=self.program)
        self.run = self.tracer.child
        self.run.wait_for('ready')
        pids = [int(pid) for tid in case.child.threads(self.tracer.pid)
                for pid in pathlib.Path(
                    f'/proc/{self.tracer.pid}/task/{tid}/children'
                ).read_text().split()]
        self.pid = [pid for pid in pids if os.path.samefile(
            f'/proc/{pid}/exe', self.program[0])][0]

    def act(self):
        trace_on(self.tracer)


class Everything(Started):
    """All functions of the subject's C library are traced."""
    options = ['-x', '*@libc.so.6']


class WithSystemCalls(Started):
    """xtrace sees the entry of each call in which a thread blocks (-S)."""
    options = ['-x', 'f', '-S']


class WithSystemCallsAttached(Attached):
    """Each thread that may be interrupted stops once, so that its next system
    calls are seen (tracer/attach/arrival)."""
    options = WithSystemCalls.options
    restarts = True


class WithSystemCallsLeft(Left):
    options = WithSystemCalls.options
    restarts = True


class WithSystemCallsKilled(Killed):
    options = WithSystemCalls.options
    restarts = True


class StartedAndLeft(Started):
    status = 128 + signal.SIGTERM

    def act(self):
        self.tracer.send(signal.SIGTERM)
        case.until(lambda: not self.run.alive(), 'xtrace has left')
        case.same_text(self.pid)


def test():
    program = case.build('calls.c')
    done = []
    for kind in (Mode, Attached, Left, Sampled, SampledByClock, Killed,
                 Started, Everything, WithSystemCalls,
                 WithSystemCallsAttached, WithSystemCallsLeft,
                 WithSystemCallsKilled, StartedAndLeft):
        for span in SPANS:
            mode = kind(program, span)
            done.append(mode)
            enough = mode.perform()
            mode.run.say('go')
            if enough:
                break
        else:
            case.fail(f'{mode.name}: {span} s are not enough')
    for mode in done:
        mode.check()
        print(f'{mode.folder.name}: {KINDS} calls undisturbed')


case.main(test)
