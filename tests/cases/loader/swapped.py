#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Come to while its libraries change all the time, the loader's list is read
twice, for an entry has become another one's: what was met by the first reading
may be gone by the second.

TIMEOUT: 120
"""
import case

ROUNDS = 100


def test():
    subject = case.start(case.build('swapped.c'))
    subject.wait_for('ready')
    for _ in range(ROUNDS):
        tracer = case.Tracer(['-x', 'f@libmod*', '-c', '--duration', '5ms',
                              '-p', str(subject.pid)])
        tracer.wait(0)
    subject.say('stop')
    case.finish(subject, 0)
    case.true('all were right' in subject.out, 'it went on with all of them')


case.main(test)
