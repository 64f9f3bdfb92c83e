#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--budget with queries: the functions that a query is made of are left out
together, so each query that is told has all of its rows and no unknown text, and
none begins within a break. The table, Prometheus, OpenTelemetry, the slow log
and the JSON tell the same times. The output of the program is as untraced.

TIMEOUT: 90
"""
import collections
import json
import re

import case

# The text of each query tells how many rows it has. Every second query is given
# up after five rows; the module has then fetched one more row.
SCRIPT = '''
import sqlite3, sys, threading
base = sqlite3.connect(":memory:")
base.execute("create table t(a, b)")
base.executemany("insert into t values (?, ?)", [(i, "x") for i in range(60)])
print("ready", flush=True)
over = False
def listen():
    global over
    sys.stdin.readline()
    over = True
threading.Thread(target=listen, daemon=True).start()
while not over:
    for many in range(10, 50):
        found = base.execute(f"select a, b from t where a < {many} limit 100")
        if many % 2:
            assert len(found.fetchmany(5)) == 5
            found.close()
        else:
            assert len(found.fetchall()) == many
print("all right")
'''
LEFT_OUT = re.compile(r'(# |  )\(queries\): looked at for ([\d.]+) % of ([\d.]+) s, '
                      r'left out for the rest \(--budget\)')
GAUGE = re.compile(r'xtrace_(looked_at|left_out)_seconds_total'
                   r'\{function="\(queries\)"\} ([\d.]+)')
OUTPUTS = 'summary', 'json', 'prometheus', 'otlp', 'slow-log'
BREAKS = 3


def is_enough(text):
    odd = re.findall(rb"where a < \d([13579]?)\d? limit", text)
    return (text.count(b'"out":false') >= BREAKS and b'' in odd and
            any(odd))


def run():
    script = case.FOLDER / 'script.py'
    script.write_text(SCRIPT)
    paths = {name: case.FOLDER / f'{name}.prom' for name in OUTPUTS}
    subject = case.start(case.PYTHON, script)
    subject.wait_for('ready')
    paths['json'].write_bytes(b'')
    tracer = case.Tracer(['--budget=2%', '--sql', '-w', '1',
                          *(f'--{name}={paths[name]}' for name in OUTPUTS),
                          '-p', str(subject.pid)])
    case.until(lambda: is_enough(paths['json'].read_bytes()),
               f'{BREAKS} breaks, and queries of both kinds')
    tracer.leave()
    case.same_text(subject.pid)
    subject.say('over')
    case.finish(subject)
    case.equal([subject.out, subject.err], ['ready\nall right\n', ''], 'output')
    return {name: path.read_text() for name, path in paths.items()}


def check_queries(events):
    """Returns the event that tells the sum of the times."""
    told = [event for event in events if event['event'] == 'left-out']
    case.equal({event['function'] for event in told}, {'(queries)'}, 'left out')
    breaks = list(zip(told[:-1:2], told[1:-1:2]))
    case.true(len(breaks) >= BREAKS, f'{told}')
    calls = [event for event in events if event['event'] == 'call']
    rows = collections.Counter()
    for call in calls:
        text = re.search(r'where a < (\d+) limit', json.dumps(call))
        case.true(text, f'the text of {call}')
        many = int(text[1])
        if call['end'] != 'unfinished':
            case.equal(call.get('rows'), 6 if many % 2 else many, f'{call}')
            rows[many % 2] += 1
        inside = [out for out, again in breaks
                  if out['time'] + 0.001 < call['time'] < again['time'] - 0.001]
        case.true(not inside, f'{call} is within a break: {inside}')
    case.true(rows[0] and rows[1], f'{rows}')
    # The end of a window waits until no query is open.
    unfinished = sum(call['end'] == 'unfinished' for call in calls)
    case.true(unfinished <= 1 + len(breaks), f'{unfinished} unfinished')
    return told[-1]


def test():
    outputs = run()
    last = check_queries([json.loads(line)
                          for line in outputs['json'].splitlines()])
    looked_at, left_out = last['looked_at'], last['left_out']
    for name, begin in ('summary', '  '), ('slow-log', '# '):
        said = LEFT_OUT.findall(outputs[name])
        # The percentage has one digit behind its point.
        case.true(len(said) == 1 and said[0][0] == begin and
                  abs(float(said[0][1]) -
                      100 * looked_at / (looked_at + left_out)) < 0.051,
                  f'{name}: {said} {last}')
    gauges = {name: float(value)
              for name, value in GAUGE.findall(outputs['prometheus'])}
    case.equal(gauges, {'looked_at': looked_at, 'left_out': left_out},
               'Prometheus')
    sums = {}
    for line in outputs['otlp'].splitlines():
        for resource in json.loads(line).get('resourceMetrics', []):
            for metric in resource['scopeMetrics'][0]['metrics']:
                if metric['name'].startswith('xtrace.'):
                    [point] = metric['sum']['dataPoints']
                    case.equal(point['attributes'], [
                        {'key': 'code.function.name',
                         'value': {'stringValue': '(queries)'}}], f'{point}')
                    sums[metric['name']] = point['asDouble']
    case.true(abs(sums['xtrace.looked_at.time'] - looked_at) < 1e-6 and
              abs(sums['xtrace.left_out.time'] - left_out) < 1e-6,
              f'{sums} {last}')


case.main(test)
