#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With --engine=agent more statements than an area has cells for: a statement
that is new gets the cell of one that is not used any more, so that its fast
calls pass inside the program.

NEEDS: /usr/include/sqlite3.h
TIMEOUT: 90
"""
import re

import case


def test():
    subject = case.build('statements_client.c')
    tracer = case.trace('--engine=agent', '--stats', '--sql', '--min-time', '1h',
                        command=[str(subject)])
    tracer.wait(0)
    calls = int(re.search(r'(\d+) calls', tracer.child.out)[1])
    inside = re.search(r'inside the programs: (\d+)', '\n'.join(tracer.says()))
    case.true(inside, 'no call passed inside')
    case.true(int(inside[1]) >= 0.5 * calls, f'{inside[1]} of {calls} inside')


case.main(test)
