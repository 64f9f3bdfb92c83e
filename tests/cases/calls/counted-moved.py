#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""-c with --engine=agent in a program that loads greenlet: its calls are counted
inside until then, and stop from then on, because a greenlet's stack is copied
away within its calls. The number of calls is the program's own.

NEEDS: /usr/share/doc/python3-greenlet
TIMEOUT: 120
"""
import re

import case

COUNT = 20000
FUNCTION = 'PyNumber_MatrixMultiply'


def counted(engine, count):
    """What the table says, what the program says, and how many calls were
    counted inside."""
    tracer = case.trace('-c', f'--engine={engine}', '--stats', '-x', FUNCTION,
                        command=[case.PYTHON, case.SUPPORT / 'moved.py', count])
    tracer.wait(0)
    rows = [line.split() for line in tracer.lines()]
    table = [int(row[3]) for row in rows if len(row) == 5 and row[4] == FUNCTION]
    inside = re.search(r'counted inside the programs: (\d+)',
                       '\n'.join(tracer.says()))
    return table, [int(tracer.child.out)], int(inside[1]) if inside else 0


def test():
    got, own, inside = counted('agent', COUNT)
    case.equal(got, own, 'agent')
    case.true(COUNT <= inside < own[0], f'{inside} of {own} were counted inside')
    got, own, inside = counted('ptrace', COUNT // 10)
    case.equal(got, own, 'ptrace')


case.main(test)
