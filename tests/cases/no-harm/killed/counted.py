#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls are counted inside a program (-c --engine=agent) whose threads make
them all the time, under a timer, and which aborts at a wrong result. xtrace is
killed or leaves: the program runs on, and its text is as in the file. After
leaving, no memory of xtrace is left, also that of an earlier one that was
killed. No memory is ever writable and executable.

TIMEOUT: 120
"""
import re
import signal

import case
import jumping

KILLS = (False, True, True, False, True, False)


def mappings(pid):
    with open(f'/proc/{pid}/maps') as file:
        return [row.split() for row in file]


def trace(subject, known):
    tracer = case.Tracer(['-c', '--engine=agent', '--stats', '-p',
                          str(subject.pid), '-x', 'f1+f2+f3'])
    case.until(lambda: subject.jumps() >= 2, 'jumps are planted')
    subject.goes_round()
    case.true(case.data_areas(subject.pid) > known, 'there is an area')
    for row in mappings(subject.pid):
        case.true('wx' not in row[1], f'{row} is writable and executable')
    return tracer


def test():
    subject = jumping.Subject()
    before = case.data_areas(subject.pid)
    for kill in KILLS:
        tracer = trace(subject, case.data_areas(subject.pid))
        if kill:
            tracer.send(signal.SIGKILL)
            tracer.wait(128 + signal.SIGKILL)
        else:
            tracer.leave()
            said = re.search(r'inside the programs: (\d+)', str(tracer.says()))
            rows = [line.split() for line in tracer.lines()]
            calls = sum(int(row[3]) for row in rows if len(row) == 5 and
                        row[4] in ('f1', 'f2', 'f3'))
            case.true(said and 100 < int(said[1]) <= calls,
                      f'{said and said[1]} of {calls} are counted inside')
        subject.restored()
        subject.goes_round()
        if not kill:
            case.equal(case.data_areas(subject.pid), before,
                       'areas after leaving')
            case.equal(case.own_memory(subject.pid), [], 'code that is left')
    subject.stop()


case.main(test)
