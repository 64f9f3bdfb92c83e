#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""If a format has a file of its own, only this file is written, unless -o asks
for lines as well. Sets show no signals.
"""
import case

PROGRAM = '''
import os, signal, sqlite3
signal.signal(signal.SIGUSR1, lambda *_: None)
os.kill(os.getpid(), signal.SIGUSR1)
sqlite3.connect(':memory:').execute('SELECT 1').fetchall()
'''
COMMAND = [case.PYTHON, '-c', PROGRAM]


def test():
    for option in '--json', '--summary', '--folded', '--flame':
        path = case.FOLDER / f'out{option}.svg'
        tracer = case.trace('--sql', f'{option}={path}', command=COMMAND,
                            to_file=False)
        tracer.wait(0)
        case.equal(tracer.child.err, '', f'stderr with {option}')
        case.true('sqlite3_step' in path.read_text() or
                  'SELECT' in path.read_text().upper(), f'{option} is written')
    path = case.FOLDER / 'beside.json'
    tracer = case.trace('--sql', f'--json={path}', command=COMMAND)
    tracer.wait(0)
    case.true(path.read_text(), 'JSON beside the lines')
    case.same(tracer.lines(), ['%time sqlite3_step "SELECT 1" = SQLITE_DONE '
                               '%any<%dur>', '%time +++ exited (status 0) +++'])
    tracer = case.trace('-x', 'sqlite3_step', command=COMMAND)
    tracer.wait(0)
    case.contains(tracer.lines(), '--- SIGUSR1 (User defined signal 1) ---')


case.main(test)
