#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A signal tells xtrace to leave a command that it has started. xtrace ends at
once, with the signal's status; the command runs to its end.
"""
import signal

import case


def test():
    program = case.build('attaching.c')
    for number in (signal.SIGTERM, signal.SIGHUP):
        tracer = case.trace('-x', 'f', command=[program])
        tracer.child.wait_for('ready')
        tracer.send(number)
        # The subject still waits for input: wait() below closes it, when
        # xtrace has ended.
        case.until(lambda: not tracer.child.alive(), 'xtrace has ended')
        tracer.wait(128 + number)
        case.equal(tracer.calls(), [], 'the trace has no call')


case.main(test)
