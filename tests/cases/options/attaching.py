#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""-p accepts several pids, also in one argument, and names of programs. All of
these may be given together with a command."""
import os
import shutil

import case
import child


def begun(count):
    """Starts subjects that wait for a line before they continue."""
    program = case.build('attaching.c')
    mine = case.FOLDER / f'xt-{os.getpid()}'  # a name of no other process
    shutil.copy(program, mine)
    subjects = [case.start(mine) for _ in range(count)]
    for subject in subjects:
        subject.wait_for('ready')
    return mine, subjects


def traced(subjects, *options, command=()):
    tracer = case.trace('-F', 'p.conf', '-x', 'f', *options, command=command)
    for subject in subjects:
        child.wait_attached(subject.pid, tracer.child, case.LIMIT)
    for subject in subjects:
        subject.say('go')
        case.finish(subject, 5)
    return tracer


def calls_of(tracer, pids):
    """For each of the pids, how many calls of f() the trace has."""
    lines = tracer.lines()
    return [case.count(lines, f'{pid} f(1) = 1') for pid in pids]


def test_pids():
    _, subjects = begun(2)
    pids = [subject.pid for subject in subjects]
    tracer = traced(subjects, '-p', f'{pids[0]}, {pids[1]}')
    tracer.wait(0)
    case.equal(calls_of(tracer, pids), [1, 1], 'calls of each')
    _, subjects = begun(3)
    pids = [subject.pid for subject in subjects]
    tracer = traced(subjects, '-p', str(pids[0]), f'--attach={pids[1]}',
                    f'-p{pids[2]}', '-p', str(pids[0]))
    tracer.wait(0)
    case.equal(calls_of(tracer, pids), [1, 1, 1], 'calls of each')


def test_no_command():
    """If the command does not exist, xtrace attaches to no process."""
    _, subjects = begun(1)
    tracer = case.trace('-x', 'f', '-D', 'process', '-p', str(subjects[0].pid),
                        command=['./xt-no-command'])
    tracer.wait(127)
    case.same(tracer.child.err.splitlines(),
              ['xtrace: ./xt-no-command: No such file or directory'])
    subjects[0].say('go')
    case.finish(subjects[0], 5)


def test_name():
    program, subjects = begun(2)
    tracer = traced(subjects, '--attach-name', program.name)
    tracer.wait(0)
    case.equal(calls_of(tracer, [subject.pid for subject in subjects]), [1, 1],
               'calls of each')
    tracer = case.trace('--attach-name', 'xt-nobody')
    tracer.wait(1)
    case.same(tracer.says(), ["xtrace: no running program is named "
                              "'xt-nobody'"], 'what xtrace says')


def test_busy():
    """--attach-name leaves out a process that another tracer has, or that has
    ended; -p does not.
    """
    program, subjects = begun(3)
    busy, gone, free = subjects
    gone.say('go')  # it becomes a zombie: we do not wait
    other = case.attach(busy, '-x', 'f')
    left_out = [
        f'xtrace: left out: process {busy.pid} is already traced, by %any',
        f'xtrace: left out: process {gone.pid} has ended%any']
    case.until(lambda: child.status_field(f'/proc/{gone.pid}/status', 'State')
               == 'Z (zombie)', 'the process has ended')
    tracer = traced([free], '--attach-name', program.name)
    tracer.wait(0)
    case.equal(calls_of(tracer, [free.pid]), [1],
               'calls of the process without a tracer')
    case.same(sorted(tracer.says()), sorted(left_out), 'what xtrace says')
    tracer = case.trace('--attach-name', program.name)
    tracer.wait(1)
    case.same(sorted(tracer.says()), sorted(
        [*left_out, 'xtrace: no process is left to trace']),
              'no process is left')
    tracer = case.trace('--attach-name', program.name, '--dump')
    tracer.wait(1)
    case.same(sorted(tracer.says()), sorted(
        [*left_out, 'xtrace: no process is left to trace']),
              'no process to dump')
    tracer = case.trace('--attach-name', program.name, '-p', str(busy.pid))
    tracer.wait(1)
    case.same(tracer.says(), [left_out[0].replace('left out: ', '')], '-p')
    busy.say('go')
    case.finish(busy, 5)
    case.finish(gone, 5)
    other.wait(0)


def test_with_command():
    program, subjects = begun(1)
    (case.FOLDER / 'input').write_text('go\n')
    tracer = traced(subjects, '-p', str(subjects[0].pid),
                    command=['/bin/sh', '-c', f'exec {program} <input'])
    tracer.wait(5)
    case.equal(case.count(tracer.lines(), '%id f(1) = 1'), 2, 'calls of both')


def test():
    (case.FOLDER / 'p.conf').write_text('int f(int);\n')
    test_pids()
    test_name()
    test_busy()
    test_with_command()
    test_no_command()


case.main(test)
