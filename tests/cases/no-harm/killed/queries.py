#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Fast queries pass inside a program (--sql --min-time with --engine=agent).
Threads ask SQLite all the time, under a timer. xtrace is killed or leaves, at
any step of its work: the answers stay right, and the program's text is as in
the files. After xtrace has left, the program has no memory of xtrace, and its
mappings, descriptors and actions for signals are as before.

TIMEOUT: 120
"""
import os
import random
import re
import signal
import time

import case
import child

# After how many seconds xtrace ends in each round, and whether it is killed. At
# first it plants traps, and from some tenths of a second on jumps. None: when the
# jumps are planted, and queries were made.
ROUNDS = ((None, False), (0.1, True), (0.2, True), (0.3, False), (0.4, True),
          (None, True), (0.15, False), (0.6, True), (None, False))
JUMPS = 4  # sqlite3_step(), sqlite3_reset(), and where they return


def state(pid):
    """Descriptors, what signals do, and the executable mappings."""
    folder = f'/proc/{pid}/fd'
    with open(f'/proc/{pid}/maps') as file:
        maps = [row.split() for row in file]
    return ([(name, os.readlink(f'{folder}/{name}'))
             for name in sorted(os.listdir(folder))],
            [child.status_field(f'/proc/{pid}/status', field)
             for field in ('SigCgt', 'SigIgn', 'SigBlk')],
            [row for row in maps if 'x' in row[1]])


def goes_on(subject, number):
    """Waits until the threads have made some more queries."""
    subject.say(str(number))
    subject.wait_for(f'{number} done')


def jumps(subject):
    """How many jumps are planted now."""
    return sum(change.endswith('became e9')
               for change in case.text_changes(subject.pid))


def work(subject, seconds, number):
    if seconds is not None:
        time.sleep(seconds * random.uniform(0.5, 1.5))
        return
    case.until(lambda: jumps(subject) >= JUMPS, 'jumps are planted')
    goes_on(subject, f'jumps of {number}')


def test():
    subject = case.start(case.PYTHON, case.SUPPORT / 'asking.py')
    subject.wait_for('ready')
    goes_on(subject, 0)
    areas, own = case.data_areas(subject.pid), state(subject.pid)
    inside = 0
    for number, (seconds, kill) in enumerate(ROUNDS, 1):
        tracer = case.Tracer(['--sql', '--min-time', '10s', '-w', '5',
                              '--engine=agent', '--stats', '-p',
                              str(subject.pid)])
        case.wait_planted(subject.pid, tracer)
        work(subject, seconds, number)
        if kill:
            tracer.send(signal.SIGKILL)
            tracer.wait(128 + signal.SIGKILL)
        else:
            tracer.leave()
            said = re.search(r'inside the programs: (\d+)', str(tracer.says()))
            inside += int(said[1])
        case.until(lambda: not case.text_changes(subject.pid),
                   'the text is as before')
        goes_on(subject, number)
        if not kill:
            case.equal(case.data_areas(subject.pid), areas, 'areas')
            case.equal(case.own_memory(subject.pid), [], 'code that is left')
            case.equal(state(subject.pid), own, 'what is as before')
    subject.say('stop')
    case.finish(subject)
    case.equal(subject.out.splitlines()[-1], 'faults []', 'answers')
    case.true(inside >= 50, f'{inside} calls passed inside')


case.main(test)
