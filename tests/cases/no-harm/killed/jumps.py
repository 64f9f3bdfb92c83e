#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Jumps in place of traps (--engine=agent) in a program whose threads run
through them all the time, under a timer, and which aborts at a wrong result.
xtrace is killed or leaves: the program runs on, and its text is as in the
file.

TIMEOUT: 120
"""
import re
import signal

import case
import jumping

ROUNDS = 6
FUNCTIONS = 3


def trace(subject, least):
    tracer = case.Tracer(['--engine=agent', '--stats', '-p', str(subject.pid),
                          '-e', 'f1@MAIN+f2@MAIN+f3@MAIN'])
    case.until(lambda: subject.jumps() >= least, 'jumps are planted')
    subject.goes_round()
    return tracer


def test():
    subject = jumping.Subject()
    for number in range(ROUNDS):
        # f2 has one possible springboard. A killed xtrace has left it in use.
        tracer = trace(subject, FUNCTIONS - (number > 0))
        if number % 3 == 0:
            tracer.leave()
            said = str(tracer.says())
            case.true(re.search(r'jumps: [23] sites', said), said)
            trace_text = '\n'.join(tracer.lines())
            for name in ('f1(', 'f2(', 'f3('):
                case.true(name in trace_text, f'{name} is missing')
        else:
            tracer.send(signal.SIGKILL)
            tracer.wait(128 + signal.SIGKILL)
        subject.restored()
        subject.goes_round()
    subject.stop()


case.main(test)
