#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The recipes for jq in docs/JSON.md are run as they are written, and print
what is true of the programs.

NEEDS: jq
TIMEOUT: 120
"""
import json
import os
import re
import subprocess

import jsonschema

import case

TOP = case.TESTS.parent
SCRIPT = '''
import sqlite3

base = sqlite3.connect(':memory:', isolation_level=None)
base.execute('create table t (a, b)')
for number in range(3):
    base.execute('insert into t values (?, ?)', (number, b'\\0\\xff'))
base.execute('select a from t where b = ?', (None,)).fetchall()
'''


def prepare():
    """The programs of the recipes, and an xtrace that has its prototypes."""
    (case.FOLDER / 'script.py').write_text(SCRIPT)
    os.symlink(case.build('recipes.c'), case.FOLDER / 'program')
    tools = case.FOLDER / 'bin'
    tools.mkdir()
    (tools / 'xtrace').write_text(
        f'#!/bin/sh\nexec {case.XTRACE} -F {TOP}/etc "$@"\n')
    (tools / 'xtrace').chmod(0o755)
    (tools / 'python3').symlink_to(case.PYTHON)
    return {**os.environ, 'PATH': f'{tools}:{os.environ["PATH"]}'}


def recipes():
    """(the heading, the command that traces, the command that reads)"""
    text = (TOP / 'docs' / 'JSON.md').read_text()
    return re.findall(r'^(\S.*:)\n\n    (xtrace .*)\n    (jq .*)$',
                      text.partition('\n## Six recipes for jq\n')[2], re.M)


def run(words, line, env):
    done = subprocess.run(['/bin/sh', '-c', line], cwd=case.FOLDER, text=True,
                          capture_output=True, env=env, check=False)
    case.equal(done.returncode, 0, f'{words} {line}: {done.stderr}')
    return done.stdout.splitlines()


def events():
    with open(case.FOLDER / 'trace.json') as file:
        return [json.loads(line) for line in file]


def check_slow(rows):
    """On a busy machine, any call may be slow, too."""
    slow = sorted((event['duration'], event['name'],
                   [argument['value'] for argument in event['arguments']])
                  for event in events() if event['event'] == 'call' and
                  event['duration'] > 0.01)
    case.equal([row.partition(' ')[2].partition('(')[0] for row in rows],
               [name for _, name, _ in slow], 'slow calls')
    slept = [values[0] for _, name, values in slow if name == 'usleep']
    case.equal([row.partition(' ')[2] for row in rows if 'usleep' in row],
               [f'usleep({microseconds})' for microseconds in slept],
               'those that sleep')
    case.true({20000, 30000} <= set(slept), f'these are slow: {slow}')


def check_sums(rows):
    found = [(name, int(calls), float(total))
             for name, calls, total in map(str.split, rows)]
    calls = {name: count for name, count, _ in found}
    # The C library's own allocations are in the trace, too.
    case.equal((calls['usleep'], calls['open']), (3, 3), 'calls')
    for name, _, total in found:
        case.true(abs(total - sum(
            event['duration'] for event in events() if event['event'] == 'call'
            and event['name'] == name)) < 1e-9, f'the sum of {name}: {rows}')
    case.equal([total for _, _, total in found],
               sorted((total for _, _, total in found), reverse=True), 'order')


def check_failed(rows):
    case.equal(rows, ['ENOENT\t/no/such/file', 'ENOTDIR\t/etc/passwd/x'],
               'failed calls')


def check_leaks(rows):
    sizes = [int(row.split('\t')[1]) for row in rows]
    case.equal([size for size in sizes if 1000 <= size <= 1002], [1000, 1002],
               f'leaks: {rows}')


def check_bound(rows):
    found = [json.loads(row) for row in rows]
    case.true(all(row['where'].endswith(f'script.py:{number}') for row, number
                  in zip(found, (5, 7, 7, 7, 8))), f'where: {found}')
    case.equal([row.get('values') for row in found],
               [None, *([number, {'$bytes': '\0\xff'}] for number in range(3)),
                [None]], 'values')


def check_rows(rows):
    case.equal(rows[0].split('\t')[::2], ['3', 'insert into t values(?+)'],
               f'the first of {rows}')
    schema = json.loads((TOP / 'docs' / 'json-schema.json').read_text())
    validator = jsonschema.Draft202012Validator(schema)
    for event in events():
        case.equal([fault.message for fault in validator.iter_errors(event)],
                   [], f'{event}')
    case.equal([event['event'] for event in events()],
               ['row'] * 3 + ['summary'], 'events')


def test():
    env = prepare()
    checks = (check_slow, check_sums, check_failed, check_leaks, check_bound,
              check_rows)
    found = recipes()
    case.equal(len(found), 6, 'recipes')
    for (words, trace, read), check in zip(found, checks):
        run(words, trace, env)
        check(run(words, read, env))


case.main(test)
