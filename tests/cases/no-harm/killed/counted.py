#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Code inside a program counts calls or leaves them out (--engine=agent with -c
or --min-time). Threads make the calls all the time, under a timer, and a wrong
result aborts the program. xtrace is killed or leaves: the program runs on, and
its text is as in the file. After xtrace has left, the program has no memory of
xtrace, not even of one that was killed before; its descriptors and actions for
signals are as before. No memory is ever writable and executable.

TIMEOUT: 120
"""
import os
import re
import signal

import case
import child
import jumping

# Each round: the options of xtrace, and whether it is killed.
COUNT = ('-c',)
SELECT = ('--min-time', '10s')
ROUNDS = ((COUNT, False), (COUNT, True), (SELECT, True), (COUNT, False),
          (SELECT, True), (SELECT, False), (COUNT, True), (COUNT, False))
TYPES = 'int f1(int x, string);\nint f2(int x);\nint f3(int x, string);\n'


def mappings(pid):
    with open(f'/proc/{pid}/maps') as file:
        return [row.split() for row in file]


def state(pid):
    """Descriptors, and the signals that are caught, ignored and blocked."""
    folder = f'/proc/{pid}/fd'
    return ([(name, os.readlink(f'{folder}/{name}'))
             for name in sorted(os.listdir(folder))],
            [child.status_field(f'/proc/{pid}/status', field)
             for field in ('SigCgt', 'SigIgn', 'SigBlk')])


def trace(subject, options, known):
    path = case.FOLDER / 'types.conf'
    path.write_text(TYPES)
    tracer = case.Tracer([*options, '--engine=agent', '--stats', '-F',
                          str(path), '-p', str(subject.pid), '-x', 'f1+f2+f3'])
    case.until(lambda: subject.jumps() >= 2, 'jumps are planted')
    subject.goes_round()
    case.true(case.data_areas(subject.pid) > known, 'there is an area')
    for row in mappings(subject.pid):
        case.true('wx' not in row[1], f'{row} is writable and executable')
    return tracer


def test():
    subject = jumping.Subject()
    before, own = case.data_areas(subject.pid), state(subject.pid)
    for options, kill in ROUNDS:
        tracer = trace(subject, options, case.data_areas(subject.pid))
        if kill:
            tracer.send(signal.SIGKILL)
            tracer.wait(128 + signal.SIGKILL)
        else:
            tracer.leave()
            said = re.search(r'inside the programs: (\d+)', str(tracer.says()))
            rows = [line.split() for line in tracer.lines()]
            calls = sum(int(row[3]) for row in rows if len(row) == 5 and
                        row[4] in ('f1', 'f2', 'f3'))
            case.true(said and 100 < int(said[1]),
                      f'{options}: {said and said[1]} inside')
            case.true(int(said[1]) <= calls or options == SELECT,
                      f'{said[1]} of {calls} are counted inside')
            case.true(calls == 0 or options == COUNT, f'{calls} are shown')
        subject.restored()
        subject.goes_round()
        if not kill:
            case.equal(case.data_areas(subject.pid), before,
                       'areas after leaving')
            case.equal(case.own_memory(subject.pid), [], 'code that is left')
            case.equal(state(subject.pid), own, 'descriptors and signals')
        case.equal(state(subject.pid)[0], own[0], 'descriptors')
    subject.stop()


case.main(test)
