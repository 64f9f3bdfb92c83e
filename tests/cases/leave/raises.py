#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Come to and left many times, a program that raises SIGTRAP all the time is
in our handler at some of them, by which it hears of its own signals: each one
is heard, and the handler goes when nobody is in it.

TIMEOUT: 120
"""
import case

ROUNDS = 60


def test():
    subject = case.start(case.build('raises.c'))
    subject.wait_for('ready')
    case.come_and_leave(subject, ROUNDS)
    subject.say('stop')
    case.finish(subject, 0)
    case.true('all trapped' in subject.out, 'each signal is heard')


case.main(test)
