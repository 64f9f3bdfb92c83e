#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With --sql, -w begins at the application's line, however deep the packages
that it calls are, and counts their frames. --packages names more packages.
"""
import json

import case

QUERY = '%time sqlite3_step "SELECT 1" = SQLITE_DONE%any<%dur>'
ORM = '''
import driver

def ask(base, depth):
    return ask(base, depth - 1) if depth else driver.run(base)
'''
DRIVER = '''
def run(base):
    return base.execute('SELECT 1').fetchall()
'''
APPLICATION = '''
import sqlite3
import sys
sys.path[:0] = [sys.argv[1] + '/site-packages', sys.argv[1] + '/old']
import orm
import model

def view(base):
    model.find(base)

def main():
    view(sqlite3.connect(':memory:'))

main()
'''
MODEL = '''
import orm

def find(base):
    orm.ask(base, 40)
'''


def trace(*options, says=()):
    tracer = case.trace('--sql', *options,
                        command=('/usr/bin/python3', f'{case.FOLDER}/app.py',
                                 case.FOLDER))
    tracer.wait(0)
    case.equal(tracer.says(), list(says), 'what xtrace says')
    return [line.replace(f'{case.FOLDER}/', '') for line in tracer.lines()
            if not line.endswith('+++')]


def write(files):
    for name, text in files.items():
        path = case.FOLDER / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text)


def test():
    write({'site-packages/orm.py': ORM, 'site-packages/driver.py': DRIVER,
           'old/model.py': MODEL, 'app.py': APPLICATION})
    find, view = '    old/model.py:5 in find', '    app.py:9 in view'
    main = '    app.py:12 in main'
    known = '    ... 1 of driver, 41 of orm'
    case.same(trace('-w', '2'), [QUERY, known, find, view])
    case.same(trace('-w', '2', '--packages', 'o[kl]d'),
              [QUERY, f'{known}, 1 of old', view, main])
    case.same(trace('-w', '1', '--packages', '*/old/m*'),
              [QUERY, f'{known}, 1 of old', view])
    case.same(trace('-w', '2', '--stack-from', 'top'),
              [QUERY, '    site-packages/driver.py:3 in run',
               '    site-packages/orm.py:5 in ask'])
    case.same(trace('-w', '1', '--stack=merged', '--stack-from=app')[-1:],
              [find])
    # If all frames belong to packages, -w shows the innermost frames.
    case.same(trace('-w', '1', '--packages', '*/*'),
              [QUERY, '    site-packages/driver.py:3 in run'])
    rows = trace('--summary', '--group-by', 'where', '--packages', 'old')
    case.true(rows[1].endswith(' app.py:9 in view'), rows)
    call, = (json.loads(line) for line in trace('-w', '1', '--json')
             if '"call"' in line)
    case.equal(call['skipped'], [{'package': 'driver', 'frames': 1},
                                 {'package': 'orm', 'frames': 41}], 'skipped')
    case.equal([frame['file'] for frame in call['frames']],
               ['old/model.py'], 'frames')
    trace('--packages', 'orn', '-w', '1', says=[
        'xtrace: --packages orn: no script\'s file in a stack matches it'])


case.main(test)
