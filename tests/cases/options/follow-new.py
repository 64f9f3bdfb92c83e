#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--follow-new: xtrace attaches to processes that begin later and to programs that
start again, also when there is none for a while. A process that another tracer
has, or that has ended, is left out, and xtrace runs on. The output and the
status of each process are as untraced.

TIMEOUT: 90
"""
import ctypes
import os
import shutil

import case

TIMES = 3
BRIEF = 60


def begun(program):
    subject = case.start(program)
    subject.wait_for('ready')
    return subject


def traced(program, subject, tracer):
    """The kernel's messages wake xtrace at each program that begins on the
    machine, so it is not at rest, as case.attach() wants it."""
    case.wait_planted(subject.pid, tracer, program)
    subject.say('go')
    case.finish(subject, 5)


def seen(tracer, subjects):
    tracer.leave()
    for subject in subjects:
        case.equal(case.count(tracer.lines(), f'{subject.pid} f(1) = 1'), 1,
                   f'calls of {subject.pid} in {tracer.lines()}')


def options(program):
    return ('-F', 'p.conf', '-x', 'f', '--attach-name', program.name,
            '--follow-new')


def without_messages():
    """Enters a new network namespace. The kernel sends messages about new
    programs only in the first one; since Linux 6.6 they need no privilege."""
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.unshare(0x40000000) != 0:  # CLONE_NEWNET
        raise OSError(ctypes.get_errno(), 'unshare')


def test_again(program, times, preexec=None):
    """The program does not run at first, nor between two of its runs."""
    tracer = case.trace(*options(program), preexec=preexec)
    waits = (f"xtrace: no running program is named '{program.name}'; waiting "
             'for one')
    tracer.child.wait_for('waiting for one', 'err')
    subjects = []
    for _ in range(times):
        subjects.append(begun(program))
        traced(program, subjects[-1], tracer)
    case.true(tracer.child.alive(), 'xtrace goes on')
    seen(tracer, subjects)
    case.equal(tracer.says(), [waits], 'nothing else is said')


def test_beside(program):
    """A process begins beside another one that is traced from the beginning
    and that runs on when xtrace has left."""
    first = begun(program)
    tracer = case.trace(*options(program), '-p', str(first.pid))
    case.wait_planted(first.pid, tracer, program)
    second = begun(program)
    traced(program, second, tracer)
    seen(tracer, [second])
    case.equal(tracer.says(), [], 'nothing is said')
    first.say('go')
    case.finish(first, 5)


def test_busy(program):
    """A process that another tracer has is reported once, and traced when that
    tracer has left. A zombie is not traced."""
    tracer = case.trace(*options(program))
    tracer.child.wait_for('waiting for one', 'err')
    busy = case.start('/bin/sh', '-c', 'read x; exec "$0"', program)
    other = case.attach(busy, '-x', 'f')
    busy.say()
    busy.wait_for('ready')
    gone = begun(program)
    case.wait_planted(gone.pid, tracer, program)
    gone.say('go')
    late = begun(program)
    traced(program, late, tracer)
    says = f'xtrace: left out: process {busy.pid} is already traced, by %any'
    tracer.child.wait_for('already traced', 'err')
    case.same(tracer.says()[1:], [says], 'told once')
    other.leave()
    traced(program, busy, tracer)
    case.finish(gone, 5)
    seen(tracer, [gone, late, busy])
    case.equal(len(tracer.says()), 2, f'told once: {tracer.says()}')


def test_brief():
    """Programs that may end while xtrace attaches to them: each has its output
    and its status, and the wait of its parent returns."""
    program = case.FOLDER / f'xb-{os.getpid()}'
    shutil.copy('/bin/sh', program)
    command = [program, '-c', 'echo 1; exit 7']
    tracer = case.trace('-c', '-x', 'getenv', '--attach-name', program.name,
                        '--follow-new')
    tracer.child.wait_for('waiting for one', 'err')
    for _ in range(BRIEF):
        case.equal(case.untraced(*command), (7, '1\n', ''), 'one run')
    tracer.leave()
    case.equal(len(tracer.says()), 1, f'nothing else is said: {tracer.says()}')


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    program = case.FOLDER / f'xt-{os.getpid()}'  # a name of no other process
    shutil.copy(case.build('attaching.c'), program)
    test_again(program, TIMES)
    if case.untraced('unshare', '-n', 'true')[0] == 0:  # root, mostly
        test_again(program, 1, without_messages)
    test_beside(program)
    test_busy(program)
    test_brief()


case.main(test)
