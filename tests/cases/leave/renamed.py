#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""We attach while a thread that is not the leader execs: it has the leader's
name then, and who had it when we seized him is gone. Nobody traps whom we do
not trace.

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
        case.true(subject.alive(), f'it lives, {number} times attached to')
    subject.say('stop')
    case.finish(subject, 3)


case.main(test)
