#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is told to leave while it reads the stacks of many threads, which takes
long. It reads no further stack. If the test waits for a CPU meanwhile, its
signal may come too late, and it tries again.

TIMEOUT: 60
"""
import re
import signal

import case

THREADS = 300
TRIES = 10
PLANTED = 'a host is stopped'
READ = re.compile(r"(\d+) of its (\d+) threads' stacks were read")


def stacks_read(subject):
    """How many stacks xtrace has read when it leaves."""
    tracer = case.Tracer(['--debug', 'tracer', '-x', 'f', '-p',
                          str(subject.pid)])
    # When xtrace has planted the traps, it reads the stacks.
    tracer.child.wait_for(PLANTED, 'err')
    tracer.send(signal.SIGTERM)
    tracer.wait(0)
    found = READ.search(tracer.child.err)
    case.true(found, 'xtrace tells how many stacks it has read')
    case.equal(int(found[2]), THREADS + 1, 'threads')
    case.same_text(subject.pid)
    print(found[0])
    return int(found[1])


def test():
    subject = case.start(case.build('many_deep.c'), THREADS)
    subject.wait_for('ready')
    case.true(any(stacks_read(subject) < THREADS for _ in range(TRIES)),
              'some stacks are not read')
    case.finish(subject)


case.main(test)
