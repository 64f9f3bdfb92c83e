#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--group-by transaction counts queries by the line that begins their
transaction. In Chrome's format, transactions and requests are spans, with the
times that they have in JSON. In OTLP, a request that is a call is a span, too.

TIMEOUT: 60
"""
import json
import re

import case

SAVES = 3
WORK = f'''
import sqlite3
base = sqlite3.connect(':memory:', isolation_level=None)
run = base.execute
run('CREATE TABLE work(a INT)')
def save(a):
    run('BEGIN')
    run('INSERT INTO work VALUES(?)', (a,))
    run('COMMIT')
def undo():
    run('BEGIN')
    run('ROLLBACK')
for a in range({SAVES}):
    save(a)
undo()
print(run('SELECT COUNT(*) FROM work').fetchall())
'''
# {function that begins transactions, or None: queries in the table}
GROUPS = {'save': 3 * SAVES, 'undo': 2, None: 2}


def check_table(lines):
    found = {}
    for line in lines:
        begun = re.search(r'  transaction at \S+work\.py:\d+ in (\w+)$', line)
        if begun or line.endswith('  (no transaction)'):
            found[begun and begun[1]] = int(line.split()[2])
    case.equal(found, GROUPS, f'groups of {lines}')


def spans_of(rows, category):
    """The beginning and the end of each span, in microseconds."""
    spans = {}
    for row in rows:
        if row.get('cat') == category and row['ph'] in 'be':
            spans.setdefault(row['id'], {})[row['ph']] = row
    for span in spans.values():
        case.equal(span['b']['name'], span['e']['name'], 'name of a span')
    return spans


def check_spans(rows, category, told):
    spans = spans_of(rows, category)
    case.equal(sorted(spans), sorted(row[category] for row in told),
               f'spans of {category}')
    for row in told:
        span = spans[row[category]]
        case.equal(span['b']['name'], row.get('function', category), 'its name')
        case.true(span['e']['ts'] >= span['b']['ts'] > 0, f'{span}')
        inside = [call for call in rows if call['ph'] == 'X' and
                  span['b']['ts'] - 0.01 <= call['ts'] and
                  call['ts'] + call['dur'] <= span['e']['ts'] + 0.01]
        case.true(len(inside) >= 2, f'{row}: its queries are within {span}')


def check_otlp(path):
    spans = [span for line in path.read_text().splitlines()
             for resource in json.loads(line).get('resourceSpans', [])
             for scope in resource['scopeSpans'] for span in scope['spans']]
    calls = [span for span in spans if span['name'] == 'save']
    case.equal(len(calls), SAVES, f'spans of OTLP: {spans}')
    for span in calls:
        attributes = {one['key']: one['value'] for one in span['attributes']}
        case.equal((attributes['code.function.name'],
                    attributes['code.file.path']),
                   ({'stringValue': 'save'},
                    {'stringValue': str(case.FOLDER / 'work.py')}), 'its place')


def test():
    path = case.FOLDER / 'work.py'
    path.write_text(WORK)
    command = [case.PYTHON, path]
    _, out, _ = case.untraced(*command)
    tracer = case.trace('--summary', '--group-by', 'transaction', '--requests='
                        'requests', '--request-frame', 'save', '--json=out.json',
                        '--format', 'chrome:out.trace', '--otlp',
                        'out.otlp', command=command)
    tracer.wait(0)
    case.equal(tracer.child.out, out, 'output')
    check_table(tracer.lines())
    told = [json.loads(line) for line in
            (case.FOLDER / 'out.json').read_text().splitlines()]
    rows = json.loads((case.FOLDER / 'out.trace').read_text())
    for category, count in (('transaction', SAVES + 1), ('request', SAVES)):
        events = [row for row in told if row['event'] == category]
        case.equal(len(events), count, f'{category} in JSON')
        check_spans(rows, category, events)
    check_otlp(case.FOLDER / 'out.otlp')


case.main(test)
