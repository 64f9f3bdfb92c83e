#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A signal that sends xtrace away from a command it has started: xtrace is
gone at once, with the signal's status; the command runs on to its end.
"""
import signal

import case


def test():
    program = case.build('attaching.c')
    for number in (signal.SIGTERM, signal.SIGHUP):
        tracer = case.trace('-x', 'f', command=[program])
        tracer.child.wait_for('ready')
        tracer.send(number)
        # Only then its stdin, which is the subject's, is closed.
        case.until(lambda: not tracer.child.alive(), 'it is gone')
        tracer.wait(128 + number)
        case.equal(tracer.calls(), [], 'nothing was called')


case.main(test)
