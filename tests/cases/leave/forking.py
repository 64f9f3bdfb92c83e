#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches to and leaves, many times, a program whose threads fork all
the time. No child that is born before xtrace has left has a byte of xtrace.

TIMEOUT: 300
"""
import case

ROUNDS = 150


def test():
    subject = case.start(case.build('forking.c'))
    subject.wait_for('ready')
    case.come_and_leave(subject, ROUNDS)
    subject.say('stop')
    case.finish(subject, 0)


case.main(test)
