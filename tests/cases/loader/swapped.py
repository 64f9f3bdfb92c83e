#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches while the program loads and unloads libraries all the time.
xtrace reads the loader's list a second time, because an entry belongs to
another library now. Entries of the first reading may not exist at the second.

TIMEOUT: 240
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
