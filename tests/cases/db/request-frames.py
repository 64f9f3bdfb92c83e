#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--request-frame: each call of a worker's function is a request with its
queries, although its frame is at the same address each time; coroutines that
overlap have requests of their own. This is also tried in PHP, Ruby and Perl.
Each worker writes the same as untraced, even if xtrace leaves it or is killed.

TIMEOUT: 120
"""
import json
import re
import signal

import case
import jsonschema

WORKER = case.SUPPORT / 'frames_worker.py'
JOBS = 5
ROWS = 6  # how often each job makes the same query
# Each function: how many jobs it does, and the number of queries of a job.
FUNCTIONS = {'perform': (3 * JOBS, ROWS + 2), 'aperform': (JOBS, ROWS + 1)}
WITHOUT = JOBS  # queries of no request: they fetch the jobs


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


# Workers in other languages: the interpreter, the function whose calls are
# jobs, and the number of jobs.
OTHERS = {
    'frames_worker.php': ('/usr/bin/php', 'work', JOBS),
    'frames_worker.rb': ('/usr/bin/ruby', 'perform', 3 * JOBS),
    'frames_worker.pl': ('/usr/bin/perl', 'main::perform', 3 * JOBS),
}


def check_other(name, lines):
    _, function, jobs = OTHERS[name]
    row = next((line for line in lines
                if line.endswith(f'  {function} in {name}')), '')
    case.true(re.match(rf' *{jobs} .* {jobs * (ROWS + 2)} ', row) and
              any(line.startswith(f'    x {ROWS}  ') for line in lines),
              f'the row of {name} in {lines}')


def other_language(name):
    interpreter, function, _ = OTHERS[name]
    command = [interpreter, case.SUPPORT / name]
    status, out, _ = case.untraced(*command)
    case.equal(status, 0, f'status of {name}')
    tracer = case.trace('--requests', '--request-frame', function,
                        command=command)
    tracer.wait(0)
    case.equal(tracer.child.out, out, f'output of {name}')
    check_other(name, tracer.lines())
    return out


def waiting(name):
    """A worker that waits for a line, and the options that trace it."""
    interpreter, function, _ = OTHERS[name]
    worker = case.start(interpreter, case.SUPPORT / name, 'waits')
    worker.wait_for('ready')
    return worker, ('--requests', '--request-frame', function)


def end(worker, name, out):
    worker.say()
    case.finish(worker)
    case.equal(worker.out, 'ready\n' + out, f'{name}: output')


def left(name, out):
    """xtrace leaves the worker before its first job, and the next xtrace traces
    all jobs."""
    worker, options = waiting(name)
    case.attach(worker, *options).leave()
    case.equal(case.text_changes(worker.pid), [], f'{name}: no trap is left')
    tracer = case.attach(worker, *options)
    end(worker, name, out)
    tracer.wait(0)
    check_other(name, tracer.lines())


def killed(name, out):
    """The worker works while the traps of a killed xtrace are planted."""
    worker, options = waiting(name)
    tracer = case.attach(worker, *options)
    case.true(case.text_changes(worker.pid), f'{name}: traps are planted')
    tracer.send(signal.SIGKILL)
    tracer.wait()
    end(worker, name, out)


def test():
    outs = {name: other_language(name) for name in OTHERS}
    for name in 'frames_worker.rb', 'frames_worker.pl':
        left(name, outs[name])
        killed(name, outs[name])
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
