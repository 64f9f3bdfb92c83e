#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A thread blocks SIGTRAP and is sent it all the time: what waits there as we
leave comes when the program lets it in, not before, and is nothing that we
would have to wait for. Another one hears of each that it sends to itself.

TIMEOUT: 120
"""
import case

ROUNDS = 40


def test():
    subject = case.start(case.build('queued.c'))
    subject.wait_for('ready')
    case.come_and_leave(subject, ROUNDS)
    subject.say('stop')
    case.finish(subject, 0)
    case.equal(subject.out.splitlines()[-3:],
               ['it waited', 'it came', 'all heard'],
               'the signal comes once, when it is let in, and the others')


case.main(test)
