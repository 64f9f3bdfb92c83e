#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace without a standard input, output or error stream. Files that xtrace
opens must not get the descriptors 0 to 2, because the program would take them
for its streams.
"""
import case


def test():
    program = case.build('loop.c')
    for closed in ('<&-', '>&-', '2>&-', '<&- >&- 2>&-'):
        shell = case.start('/bin/sh', '-c',
                           f'exec "$0" -o trace -x f -- "$1" {closed}',
                           case.XTRACE, program)
        shell.close_input()
        status = shell.wait()
        # Without an output the subject's say() fails, and it exits with 99.
        # Without an input its poll() returns at once.
        alone = case.start('/bin/sh', '-c', f'exec "$0" {closed}', program)
        alone.close_input()
        case.equal(status, alone.wait(), f'status with {closed}')
        case.equal(shell.out, alone.out, f'output with {closed}')
        trace = (case.FOLDER / 'trace').read_text()
        case.true(f'+++ exited (status {status}) +++' in trace,
                  f'the trace with {closed}: {trace}')


case.main(test)
