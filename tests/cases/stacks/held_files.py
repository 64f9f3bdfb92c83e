#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""No debug information is read while a thread is held. strace tells when
xtrace has seen a stop, when it resumes the thread, and what it reads between.

NEEDS: strace objcopy plain
TIMEOUT: 60
"""
import re
import signal

import case


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
    """Each use of a debug file, and whether the subject was held."""
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
    subject = case.start(case.build('held_subject.c'))
    subject.wait_for('ready')
    tracer = case.attach(subject, '-w', '5', '--stack=native', '-x', 'f')
    watcher = watch(tracer, log)
    subject.say('go')
    case.finish(subject)
    tracer.wait(0)
    watcher.signal(signal.SIGINT)
    watcher.wait()
    lines = '\n'.join(tracer.lines())
    for function in 'outer@t', r'late@late\.so':
        case.true(re.search(r'held_subject\.c:\d+ in ' + function, lines),
                  f'{function}: {lines}')
    found = reads(log)
    for name in 't.debug', 'late.debug':
        case.true(any(name in line for _, line in found),
                  f'{name} is read at all: {found}')
    case.equal([line for held, line in found if held], [],
               'read while the thread was held')


case.main(test)
