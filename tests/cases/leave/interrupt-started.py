#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""If xtrace has started the command, the first ^C is for the program, the
second for xtrace. The terminal sends each to both. So does this case, to the
whole process group.
"""
import contextlib
import os
import signal

import case


def first_is_the_programs(program):
    tracer = case.trace('-x', 'f', command=[program, 'catch'])
    tracer.child.wait_for('ready')
    os.killpg(tracer.pid, signal.SIGINT)
    tracer.child.wait_for('caught')
    seen = len(tracer.lines())
    case.until(lambda: len(tracer.lines()) > seen, 'the trace continues')
    tracer.child.say('stop')
    tracer.wait(4)
    case.contains(tracer.lines(), '--- SIGINT (Interrupt) ---',
                  '+++ exited (status 4) +++')


def program_that_dies_of_it(program):
    tracer = case.trace('-x', 'f', command=[program])
    tracer.child.wait_for('ready')
    os.killpg(tracer.pid, signal.SIGINT)
    tracer.wait(130)
    case.contains(tracer.lines(), '+++ killed by SIGINT +++')


def second_lets_go(program):
    tracer = case.trace('-x', 'f', command=[program, 'catch'])
    tracer.child.wait_for('ready')
    pid = case.until(lambda: child_of(tracer.pid), 'xtrace has a child')
    os.kill(tracer.pid, signal.SIGINT)
    os.kill(pid, signal.SIGINT)
    tracer.child.wait_for('caught')
    case.until(lambda: nothing_pending(tracer.pid),
               'the program has handled the first')
    os.kill(tracer.pid, signal.SIGINT)
    case.until(lambda: tracing(pid) == '0', 'xtrace has left')
    case.same_text(pid)
    tracer.child.say('stop')
    tracer.child.wait_for('done')
    tracer.wait()


def child_of(pid):
    words = []
    # A thread or a child may end meanwhile.
    for thread in case.child.threads(pid):
        with contextlib.suppress(OSError), \
                open(f'/proc/{pid}/task/{thread}/children') as file:
            words += file.read().split()
    for word in words:
        with contextlib.suppress(OSError), \
                open(f'/proc/{word}/cmdline') as file:
            if 'catch' in file.read():
                return int(word)
    return None


def nothing_pending(pid):
    """While a signal is pending, another one of the same number is merged with
    it."""
    return int(case.child.status_field(f'/proc/{pid}/status', 'ShdPnd'),
               16) == 0


def tracing(pid):
    return case.child.status_field(f'/proc/{pid}/status', 'TracerPid')


def test():
    program = case.build('loop.c')
    first_is_the_programs(program)
    program_that_dies_of_it(program)
    second_lets_go(program)


case.main(test)
