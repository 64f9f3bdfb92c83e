#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches while a thread other than the leader execs. The thread then
has the leader's tid, and the thread that had this tid when xtrace seized it
has ended. No trap may be written into a process that xtrace does not trace.

TIMEOUT: 120
"""
import case

ROUNDS = 40


def test():
    subject = case.start(case.build('renamed.c'))
    subject.wait_for('ready')
    for number in range(ROUNDS):
        tracer = case.Tracer(['-x', 'f', '--duration', f'{number % 8}ms', '-p',
                              str(subject.pid)])
        tracer.wait()
        case.true(subject.alive(), f'alive after attach {number}')
    subject.say('stop')
    case.finish(subject, 3)


case.main(test)
