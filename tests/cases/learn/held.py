#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Prototypes are read from debug information while no thread is held: strace
tells when xtrace has seen a stop, when it resumes the thread, and what it reads
between. Nevertheless the first call of a function is shown with these types.

NEEDS: strace objcopy plain
TIMEOUT: 60
"""
import signal
import subprocess

import case
import held_reads


def build():
    program = case.build('held_subject.c')
    debug = program.with_suffix('.debug')
    for command in (['--only-keep-debug', program, debug],
                    ['--strip-debug', f'--add-gnu-debuglink={debug}',
                     program]):
        subprocess.run(['objcopy', *command], check=True)
    return program


def test():
    log = case.FOLDER / 'log'
    subject = case.start(build())
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f+g')
    watcher = held_reads.watch(tracer, log)
    subject.say('go')
    case.finish(subject)
    tracer.wait(0)
    watcher.signal(signal.SIGINT)
    watcher.wait()
    case.same(tracer.calls(), ['f({1, 2}, "text") = 117', 'g(3) = 3',
                               'f({1, 2}, "text") = 117'], 'the calls')
    found = held_reads.reads(log)
    case.true(found, f'the debug file is read: {log.read_text()[:2000]}')
    case.equal([line for held, line in found if held], [],
               'read while the thread was held')


case.main(test)
