#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed while it traces a 32-bit program with threads and a SIGTRAP
handler. The program computes the right results, gets each of its own SIGTRAPs,
and ends as it should: even if the watcher is killed before xtrace, so that every
trap is left to the handler in the program. A later xtrace attaches, leaves, and
leaves nothing.

NEEDS: plain /lib32/libc.so.6
TIMEOUT: 60
"""
import os
import pathlib
import signal

import case

SOME = 1000  # so many bytes of the trace show that calls are traced
STATUS = 3


def have_calls(tracer):
    case.until(lambda: tracer.path.exists() and
               tracer.path.stat().st_size >= SOME, 'calls are traced')


def attach(child):
    """The subject runs all the time, so traced calls tell that xtrace is
    attached."""
    tracer = case.Tracer(['-x', 'f+g+trapped', '-p', str(child.pid)])
    have_calls(tracer)
    return tracer


def watcher_of(tracer):
    """The watcher's command line is that of its xtrace."""
    for status in pathlib.Path('/proc').glob('[0-9]*/comm'):
        try:
            line = (status.parent / 'cmdline').read_bytes()
            if status.read_bytes() == b'xtrace-watcher\n' and \
                    str(tracer.path).encode() in line:
                return int(status.parent.name)
        except OSError:
            continue
    return None


def kill(tracer, with_watcher):
    if with_watcher:
        os.kill(watcher_of(tracer), signal.SIGKILL)
    tracer.send(signal.SIGKILL)
    case.until(lambda: not tracer.child.alive(), 'xtrace has ended')


def attached(program, *arguments):
    child = case.start(program, *arguments)
    child.wait_for('pid')
    for number in range(2):
        tracer = attach(child)
        kill(tracer, number % 2)
        case.true(child.alive(), f'alive after {number} kills')
    tracer = attach(child)
    tracer.leave()
    case.same_text(child.pid)
    case.equal(case.own_memory(child.pid), [], 'memory that is left')
    child.say('stop')
    child.wait_for('its own')
    case.finish(child, STATUS)


def started(program, with_watcher):
    """After the kill the subject has no parent, but still has the pipes to this
    test."""
    tracer = case.trace('-x', 'f+g', command=[program, 'info'])
    pid = int(tracer.child.wait_for('pid').split()[1])
    have_calls(tracer)
    kill(tracer, with_watcher)
    tracer.child.say('stop')
    tracer.child.wait_for('its own')
    case.until(lambda: (case.child.status_field(f'/proc/{pid}/status', 'State')
                        or 'Z')[0] == 'Z', 'the subject ends')
    tracer.wait()


def test():
    for variant, arguments, with_watcher in (
            ('dynamic', [], True), ('static', ['info'], False)):
        program = case.build('busy.c', folder=case.FOLDER / variant,
                             variant=variant)
        attached(program, *arguments)
        started(program, with_watcher)


case.main(test)
