#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Traced programs that use ptrace themselves, with -f and without it. xtrace
leaves a process that another tracer wants, with none of its bytes changed, and
says so.

NEEDS: gdb strace
TIMEOUT: 300
"""
import re
import subprocess

import case


def run(*command):
    run = case.start(*command)
    status = run.wait()
    return status, run.out, run.err


def strace(program, options=None):
    log = case.FOLDER / 'strace.log'
    command = ['strace', '-f', '-o', str(log), '-e', 'trace=exit_group',
               str(program)]
    if options is not None:
        command = [case.XTRACE, '-o', str(case.FOLDER / 'trace'), *options,
                   *command]
    status, out, err = run(*command)
    rows = re.sub(r'^\d+ +|(si_\w+=)\d+', r'\1', log.read_text(),
                  flags=re.M)
    return (status, out, sorted(rows.splitlines())), err


def gdb(program, options=None):
    command = ['gdb', '-nx', '-batch', '-ex', 'set startup-with-shell off',
               '-ex', 'set debuginfod enabled off',
               '-ex', 'break f', '-ex', 'run', '-ex', 'bt 1',
               '-ex', 'delete', '-ex', 'continue', str(program)]
    if options is not None:
        command = [case.XTRACE, '-o', str(case.FOLDER / 'trace'), *options,
                   *command]
    status, out, err = run(*command)
    out = re.sub(r'\(process \d+\)|process \d+|0x[0-9a-f]+', 'X', out)
    return (status, out), err


def test():
    program = case.build('debugged.c')
    for tool in (strace, gdb):
        alone, _ = tool(program)
        case.true('calls: 100' in alone[1], f'it ran under {tool.__name__}')
        # calloc is traced and malloc is not, because gdb calls calloc 7000
        # times and malloc 150 000 times.
        for options in (['-x', 'f+calloc'], ['-f', '-x', 'f+calloc'],
                        ['-f', '-x', 'ptrace+fork+execve+waitpid+sigaction']):
            traced, err = tool(program, options)
            case.equal(traced, alone, f'{tool.__name__} under {options}')
            if '-f' in options:
                case.true('does not trace it any more' in err,
                          f'xtrace says: {err!r}')
    # The traced gdb attaches to a process that xtrace does not trace.
    for options in ([], ['-f']):
        subject = case.start(program, 'wait')
        subject.wait_for('ready')
        done = subprocess.run(
            [case.XTRACE, '-o', '/dev/null', *options, '-x', 'calloc',
             'gdb', '-nx', '-batch', '-p', str(subject.pid), '-ex',
             'print calls', '-ex', 'set debuginfod enabled off', '-ex',
             'detach'], check=False, capture_output=True, text=True,
            env={**case.child.environment(case.FOLDER)}, timeout=case.LIMIT)
        case.true('$1 = 0' in done.stdout, done.stdout + done.stderr)
        subject.say()
        case.finish(subject)


case.main(test)
