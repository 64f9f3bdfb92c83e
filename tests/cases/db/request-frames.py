#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--request-frame: each call of a worker's function is a request with its
queries, although its frame is at the same address each time; coroutines that
overlap have requests of their own. The worker writes the same as untraced.

TIMEOUT: 60
"""
import json
import re

import case
import jsonschema

WORKER = case.SUPPORT / 'frames_worker.py'
JOBS = 5
ROWS = 6  # each job makes the same query so often
# The function, how many jobs it does, and the queries of one.
FUNCTIONS = {'perform': (3 * JOBS, ROWS + 2), 'aperform': (JOBS, ROWS + 1)}
WITHOUT = JOBS  # the queries that fetch jobs from the database


def check_table(lines):
    for function, (jobs, queries) in FUNCTIONS.items():
        row = next((line for line in lines
                    if line.endswith(f'  {function} in frames_worker.py')), '')
        case.true(re.match(rf' *{jobs} .* {jobs * queries} ', row),
                  f'the row of {function} in {lines}')
    case.equal(sum(bool(re.match(
        rf'    x {ROWS}  select .* at \S*frames_worker\.py:\d+ in '
        r'(rows|aperform)', line)) for line in lines), 2, f'N+1 in {lines}')


def check_json(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    requests = {row['request']: row for row in rows
                if row['event'] == 'request'}
    counts = dict.fromkeys(requests, 0)
    without = 0
    for row in rows:
        if row['event'] == 'call' and 'request' in row:
            request = requests[row['request']]
            counts[row['request']] += 1
            case.true(request['time'] <= row['time'] and
                      row['time'] + row['wall'] <=
                      request['time'] + request['wall'] + 1e-6,
                      f'{row} is within {request}')
        without += row['event'] == 'call' and 'request' not in row
    case.equal(without, WITHOUT, 'queries of no request')
    case.equal([(requests[number]['function'], requests[number]['file'], count)
                for number, count in sorted(counts.items())],
               [(function, str(WORKER), queries)
                for function, (jobs, queries) in FUNCTIONS.items()
                for _ in range(jobs)], 'requests and their queries')
    schema = jsonschema.Draft202012Validator(json.loads(
        (case.TESTS.parent / 'docs' / 'json-schema.json').read_text()))
    for row in rows:
        schema.validate(row)


def other_language(name, interpreter, function):
    command = [interpreter, case.SUPPORT / name]
    status, out, _ = case.untraced(*command)
    case.equal(status, 0, f'status of {name}')
    tracer = case.trace('--requests', '--request-frame', function,
                        command=command)
    tracer.wait(0)
    case.equal(tracer.child.out, out, f'output of {name}')
    row = next((line for line in tracer.lines()
                if line.endswith(f'  {function} in {name}')), '')
    case.true(re.match(rf' *{JOBS} .* {JOBS * (ROWS + 2)} ', row),
              f'the row of {name} in {tracer.lines()}')


def test():
    other_language('frames_worker.php', '/usr/bin/php', 'work')
    command = [case.PYTHON, WORKER]
    _, out, _ = case.untraced(*command)
    tracer = case.trace('--requests', '--json=out.json', '--request-frame',
                        '*perform@frames_*.py', command=command)
    tracer.wait(0)
    case.equal(tracer.child.out, out, 'output')
    check_table(tracer.lines())
    check_json(case.FOLDER / 'out.json')
    query = "import sqlite3; sqlite3.connect(':memory:').execute('SELECT 1')"
    tracer = case.trace('--requests', '--request-frame', 'nowhere',
                        command=[case.PYTHON, '-c', query])
    tracer.wait(0)
    case.equal(tracer.says(), ['xtrace: --request-frame nowhere: no frame of a '
                               'script in the stack of a query matches it'],
               'no frame matches')


case.main(test)
