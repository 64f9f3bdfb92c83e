#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prototypes are read from debug information while no thread is held: strace
tells when xtrace has seen a stop, when it resumes the thread, and what it reads
between. The first call is shown whole all the same.

NEEDS: strace objcopy plain
TIMEOUT: 60
"""
import re
import signal
import subprocess

import case


def build():
    program = case.build('held_subject.c')
    debug = program.with_suffix('.debug')
    for command in (['--only-keep-debug', program, debug],
                    ['--strip-debug', f'--add-gnu-debuglink={debug}',
                     program]):
        subprocess.run(['objcopy', *command], check=True)
    return program


def watch(tracer, log):
    """Attaches strace to all threads of xtrace."""
    watcher = case.start('strace', '-f', '-y', '-o', log, '-e',
                         'trace=waitid,ptrace,openat,pread64,read',
                         '-p', tracer.pid)
    watcher.wait_for('attached', 'err')
    case.until(lambda: all(case.child.status_field(
        f'/proc/{tracer.pid}/task/{tid}/status', 'TracerPid') ==
        str(watcher.pid) for tid in case.child.threads(tracer.pid)),
        'strace has all threads of xtrace')
    return watcher


def reads(log):
    """Each use of the debug file, and whether the subject was held."""
    held, found = set(), []
    for line in log.read_text().splitlines():
        stop = re.search(r'waitid.* si_code=CLD_TRAPPED, si_pid=(\d+)', line)
        run = re.search(r'ptrace\(PTRACE_(?:CONT|LISTEN|DETACH|SYSCALL), '
                        r'(\d+)', line)
        if stop:
            held.add(stop.group(1))
        elif run:
            held.discard(run.group(1))
        elif re.search(r'(openat|read|pread64)\(.*\.debug[">].* = \d', line):
            found.append((bool(held), line))
    return found


def test():
    log = case.FOLDER / 'log'
    subject = case.start(build())
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f+g')
    watcher = watch(tracer, log)
    subject.say('go')
    case.finish(subject)
    tracer.wait(0)
    watcher.signal(signal.SIGINT)
    watcher.wait()
    case.same(tracer.calls(), ['f({1, 2}, "text") = 117', 'g(3) = 3',
                               'f({1, 2}, "text") = 117'], 'the calls')
    found = reads(log)
    case.true(found, f'the debug file is read: {log.read_text()[:2000]}')
    case.equal([line for held, line in found if held], [],
               'read while the thread was held')


case.main(test)
