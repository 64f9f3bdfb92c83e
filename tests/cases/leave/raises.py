#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches to and leaves, many times, a program that raises SIGTRAP all
the time. Sometimes the program is then in the SIGTRAP handler of xtrace, which
passes the program's own signals to the program's handler. Each signal reaches
the program, and the handler is only unmapped when no thread is in it.
raises_often.py does so ten times as often.

TIMEOUT: 240
"""
import case

ROUNDS = 12


def test(rounds=ROUNDS):
    subject = case.start(case.build('raises.c'))
    subject.wait_for('ready')
    case.come_and_leave(subject, rounds)
    subject.say('stop')
    case.finish(subject, 0)
    case.true('all trapped' in subject.out, 'each signal reaches the program')


if __name__ == '__main__':
    case.main(test)
