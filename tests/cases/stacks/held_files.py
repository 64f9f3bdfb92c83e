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
import held_reads


def test():
    log = case.FOLDER / 'log'
    subject = case.start(case.build('held_subject.c'))
    subject.wait_for('ready')
    tracer = case.attach(subject, '-w', '5', '--stack=native', '-x', 'f')
    watcher = held_reads.watch(tracer, log)
    subject.say('go')
    case.finish(subject)
    tracer.wait(0)
    watcher.signal(signal.SIGINT)
    watcher.wait()
    lines = '\n'.join(tracer.lines())
    for function in 'outer@t', r'late@late\.so':
        case.true(re.search(r'held_subject\.c:\d+ in ' + function, lines),
                  f'{function}: {lines}')
    found = held_reads.reads(log)
    for name in 't.debug', 'late.debug':
        case.true(any(name in line for _, line in found),
                  f'{name} is read at all: {found}')
    case.equal([line for held, line in found if held], [],
               'read while the thread was held')


case.main(test)
