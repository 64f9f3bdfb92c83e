#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Children that live longer than their parent, or than xtrace, run on as if
untraced. A forked child that is not followed has nothing of xtrace."""
import os
import re
import signal

import case


def lines_of(tracer, pid):
    return sum(row.startswith(f'{pid} f(') for row in tracer.lines())


def begin(program, *options):
    tracer = case.trace(*options, '-x', 'f', command=[program])
    row = tracer.child.wait_for('daemon is')
    return tracer, int(re.search(r'(\d+)$', row)[1])


def end(pid):
    """Waits until the process writes another count, then ends it."""
    with open(f'/proc/{pid}/fd/9', 'rb', buffering=0) as pipe:
        os.set_blocking(pipe.fileno(), False)
        while pipe.read(1 << 16):
            pass
        case.until(lambda: pipe.read(1 << 16), f'{pid} runs on')
    os.kill(pid, signal.SIGTERM)


def test():
    program = case.build('daemon.c')
    # Without -f xtrace ends with its command, and the daemon has no trap.
    tracer, pid = begin(program)
    tracer.wait(0)
    case.same_text(pid)
    case.equal(lines_of(tracer, pid), 0, 'calls of a daemon not followed')
    end(pid)
    # With -f xtrace stays until the daemon ends.
    tracer, pid = begin(program, '-f')
    case.until(lambda: lines_of(tracer, pid) > 20, 'calls of the daemon')
    end(pid)
    tracer.wait(0)
    # With -f, a signal tells xtrace to leave while the daemon runs.
    for number in (signal.SIGTERM, signal.SIGHUP):
        tracer, pid = begin(program, '-f')
        case.until(lambda: lines_of(tracer, pid) > 20, 'calls of the daemon')
        tracer.send(number)
        tracer.wait(0)
        case.same_text(pid)
        end(pid)


case.main(test)
