#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--sql --summary: a row for each fingerprint, with its errors and with the
text of the slowest query. Also --group-by, --sort, --top, and the same as
JSON.

TIMEOUT: 120
"""
import json
import re

import case

READ = 'select * from t where a in(?+)'
WRITE = 'insert into t values(?+)'
LONG = 'select length(?) from t limit ?'
WRONG = 'select nothing from t where a = ?'
CREATE = 'create table t(a, b)'
CALLS = {READ: 40, WRITE: 60, LONG: 2, WRONG: 8, CREATE: 2}


def rows_of(*options, attach=False):
    """The rows, and the last row with the sums."""
    command = [case.PYTHON, case.SUPPORT / 'summary_client.py']
    options = ['--sql', '--summary', '--json', *options]
    if attach:
        client = case.start(*command)
        client.wait_for('ready')
        tracer = case.attach(client, *options)
        client.say()
        case.finish(client)
    else:
        tracer = case.trace(*options, command=command)
        tracer.child.wait_for('ready')
        tracer.child.say()
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    lines = [json.loads(line) for line in tracer.lines()]
    case.equal([line['event'] for line in lines],
               ['row'] * (len(lines) - 1) + ['summary'], 'the lines')
    return lines[:-1], lines[-1]


def counts(rows, what='calls'):
    return {row['name']: row.get(what, 0) for row in rows}


def check_times(rows, total):
    for row in rows:
        case.true(row['p50'] <= row['p95'] <= row['p99'] <= row['max'],
                  f'percentiles rise: {row}')
        case.true(0 < row['self'] <= row['total'], f'own time: {row}')
        case.true(row['max'] <= row['total'], f'the slowest: {row}')
    case.equal(sorted(rows, key=lambda row: -row['total']), rows,
               'the slowest in all come first')
    # By a measuring error the time of a row may be below 0. It is shown as 1 ns,
    # and is added up as it is.
    more = sum(row['self'] for row in rows) - total['self']
    brief = any(row['self'] <= 1e-9 for row in rows)
    case.true(-1e-6 < more and (brief or more < 1e-6),
              f'own times add up: {total} in {rows}')


def check_fingerprints(attach):
    rows, total = rows_of(attach=attach)
    case.equal(counts(rows), CALLS, 'calls by fingerprint')
    case.equal({name: number for name, number in counts(rows, 'errors').items()
                if number}, {WRONG: 8}, 'errors')
    case.equal(counts(rows, 'rows')[READ], 2 * sum(range(1, 21)), 'rows read')
    case.equal((total['calls'], total['groups'], total['group']),
               (sum(CALLS.values()), len(CALLS), 'query'), 'the sum')
    check_times(rows, total)
    samples = {row['name']: row['sample'] for row in rows}
    case.true(re.fullmatch(r'SELECT \* FROM t WHERE a IN \([0-9, ]+\)',
                           samples[READ]), samples[READ])
    case.true(re.fullmatch(r"insert  into t values\((\d+), 'x\1'\)",
                           samples[WRITE]), samples[WRITE])
    case.true(samples[LONG].startswith("SELECT length('xxx"), 'the long one')


def check_groups():
    rows, total = rows_of('--group-by', 'function')
    case.equal(counts(rows), {'sqlite3_step': 104, 'sqlite3_prepare_v2': 8},
               'by function')
    rows, total = rows_of('--group-by', 'thread', '--sort', 'calls')
    case.equal([row['calls'] for row in rows], [56, 56], 'by thread')
    rows, total = rows_of('--group-by', 'caller')
    case.equal([row['name'].startswith('_sqlite3') for row in rows], [True],
               'by caller')
    rows, total = rows_of('--group-by', 'where')
    got = {re.search(r'summary_client.py:\d+ in (\w+)', name).group(1): number
           for name, number in counts(rows).items()
           if ' in work' not in name}
    case.equal(got, {'read': 40, 'write': 60}, 'by place')
    rows, total = rows_of('--group-by', 'text', '--sort', 'calls', '--top',
                          '3')
    case.equal([row['calls'] for row in rows], [2, 2, 2], 'by text')
    case.equal(total['groups'], 56, 'texts')


def printed(*options):
    command = [case.PYTHON, case.SUPPORT / 'summary_client.py']
    tracer = case.trace('--sql', '--summary', '--sort', 'calls', '--top', '2',
                        '-s', '6', *options, command=command)
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.wait(0)
    return [re.sub(' +', ' ', line.strip()) for line in tracer.lines()]


def check_text():
    more = ['... and 3 more', '112 calls of 5 queries, %any in them']
    case.same(printed('--wide'), [
        'total share self calls mean p50 p95 p99 max fetch errors rows bytes '
        'query',
        f'%any 60 %any 0 {WRITE}', '%word <%dur> sqlite3_step "insert"...',
        f'%any 40 %any 0 420 {READ}', '%word <%dur> sqlite3_step "SELECT"...',
        *more])
    case.same(printed(), [
        'total share calls mean p95 errors query',
        f'%any% 60 %any 0 {WRITE}', '%word <%dur> sqlite3_step "insert"...',
        f'%any% 40 %any 0 {READ}', '%word <%dur> sqlite3_step "SELECT"...',
        *more])


def check_ids():
    """The id of a query is the same in lines, in calls and in rows."""
    ids = {row['name']: row['query'] for row in rows_of()[0]}
    command = [case.PYTHON, case.SUPPORT / 'summary_client.py']
    tracer = case.trace('--sql', '--query-id', '--json=out.json',
                        command=command)
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.wait(0)
    lines = tracer.lines()
    calls = [json.loads(line) for line in
             (case.FOLDER / 'out.json').read_text().splitlines()]
    for start, name in (('SELECT length', LONG), ('insert', WRITE)):
        told = {re.search(r' \(id (\w+)', line).group(1) for line in lines
                if f' "{start}' in line}
        case.equal(told, {ids[name]}, f'{name} in lines')
        told = {call['query'] for call in calls if call['event'] == 'call' and
                call['arguments'][0]['value'].startswith(start)}
        case.equal(told, {ids[name]}, f'{name} in calls')


def check_mixed():
    """If a table has both queries and functions, neither word is in its
    heading."""
    more = ['-x', 'sqlite3_column_count+sqlite3_column_type']
    rows, total = rows_of(*more, attach=True)
    functions = {row['name']: row['calls'] for row in rows
                 if row['name'].startswith('sqlite3_')}
    case.equal(sorted(functions), ['sqlite3_column_count', 'sqlite3_column_type'],
               'functions')
    case.equal((total['group'], total['groups']), ('call', 5 + 2), 'kinds')
    case.equal(total['calls'], 112 + sum(functions.values()), 'calls')
    tracer = case.trace('--sql', *more, '--summary',
                        command=[case.PYTHON,
                                 case.SUPPORT / 'summary_client.py'])
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.wait(0)
    lines = tracer.lines()
    case.equal(lines[0].split()[-1], 'call', 'the head')
    case.same(lines[-1:], [f'{total["calls"]} calls of 5 queries and 2 '
                           'functions, %any in them'], 'the footer')
    rows, total = rows_of(*more, '--group-by', 'function', attach=True)
    case.equal(total['group'], 'function', 'the word that was given')


def test():
    check_mixed()
    check_ids()
    check_fingerprints(False)
    check_fingerprints(True)
    check_groups()
    check_text()


case.main(test)
