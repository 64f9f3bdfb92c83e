#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A wrong --budget, and one with an option that it would make wrong, have one
line and status 2. The program does not run.
"""
import case

TOGETHER = 'cannot be used together'


def refused(message, *options):
    run = case.start(case.XTRACE, *options, '--', 'touch', 'ran')
    case.equal(run.wait(), 2, f'{options}')
    case.equal(run.out, '', f'{options}')
    case.equal(run.err.count('\n'), 1, run.err)
    case.true(message in run.err, f'{options}: {run.err}')


def test():
    for text in ('', '0', '0.05', '101', '100.1', '-1', '2%%', '%', '.', '1e1',
                 '0x2', 'two', '2 %', '1.2.3', 'nan'):
        refused(f"--budget: '{text}' is not a percentage from 0.1 to 100, such "
                'as 2%', f'--budget={text}', '-x', 'f')
    for options in (['-S'], ['--script-calls', '-x', 'py:f'], ['--alloc'],
                    ['--inject', 'f:retval=1', '-x', 'f'],
                    ['--sample', '-x', 'f'],
                    ['--requests'], ['--transactions'],
                    ['--requests', '--request-frame', 'f'],
                    ['--summary', '--group-by', 'request', '--sql'],
                    ['--summary', '--group-by', 'transaction', '--sql']):
        refused(TOGETHER, '--budget=2%', *options)
    case.true(not (case.FOLDER / 'ran').exists(), 'the program has not run')
    for text in ('0.1', '2', '2%', '100', '.5%', '99.9%'):
        run = case.trace(f'--budget={text}', '-x', 'f', command=['true'])
        run.wait(0)


case.main(test)
