#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""An entry and a return take one stop each, so a call takes two, and there is
never a single step. strace counts the system calls of xtrace. It is attached
to xtrace after xtrace has attached to the subject.

NEEDS: strace plain
TIMEOUT: 60
"""
import re
import signal

import case

CALLS = 82


def test():
    program = case.build('../threads/births.c')
    log = case.FOLDER / 'log'
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f')
    watcher = case.start('strace', '-f', '-o', log, '-e', 'trace=ptrace',
                         '-p', tracer.pid)
    watcher.wait_for('attached', 'err')
    case.until(lambda: all(case.child.status_field(
        f'/proc/{tracer.pid}/task/{tid}/status', 'TracerPid') ==
        str(watcher.pid) for tid in case.child.threads(tracer.pid)),
        'strace has all threads of xtrace')
    subject.say('go')
    case.finish(subject)
    tracer.wait(0)
    watcher.signal(signal.SIGINT)
    watcher.wait()
    case.equal(len([line for line in tracer.calls()
                    if line.startswith('f(')]), CALLS, 'calls')
    asked = {}
    for word in re.findall(r'ptrace\((PTRACE_\w+)', log.read_text()):
        asked[word] = asked.get(word, 0) + 1
    case.equal(asked.get('PTRACE_SINGLESTEP', 0), 0, 'single steps')
    # Two stops for each call, and some more for starts and ends of threads.
    case.true(0 < asked.get('PTRACE_CONT', 0) <= 2 * CALLS + 60,
              f'resumes: {asked}')
    case.true(not any(word.startswith('PTRACE_POKE') for word in asked
                      if word != 'PTRACE_POKEUSER'), f'pokes: {asked}')


case.main(test)
