#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A thread blocks SIGTRAP and is sent it all the time. The signal that is
pending when xtrace leaves is delivered when the thread unblocks it, not
earlier, and xtrace does not wait for it. Another thread gets each SIGTRAP that
it sends to itself.

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
               'the pending signal comes once, when it is unblocked, '
               'and each other one comes')


case.main(test)
