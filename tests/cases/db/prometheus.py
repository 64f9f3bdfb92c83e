#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--prometheus FILE.prom: the file is complete whenever it is read, also while the
program runs; its counts, times, errors and rows are those of the JSON of the
same run; and the number of its labels is bounded. The output of the program is
as untraced.
"""
import collections
import json
import re

import case

LABELS_MOST = 100
QUERIES = 130
SCRIPT = f'''
import sqlite3, sys
base = sqlite3.connect(":memory:", isolation_level=None)
run = base.execute
run("create table t(a int, b)")
run("insert into t values (1, 'x'), (2, 'y')")
for _ in range(5):
    print(run("select a, b from t").fetchall())
try:
    run("selekt 1")
except sqlite3.Error as error:
    print(error)
run('select "b\\\\n\\\\\\\\" from t').fetchall()
run("with recursive n(i) as (select 1 union all select i + 1 from n "
    "where i < 300000) select max(i) from n").fetchall()
print("ready", flush=True)
sys.stdin.readline()
for number in range({QUERIES}):
    run(f"select a as n{{number}}_ from t").fetchall()
'''
LABEL = r'\{query="(?P<query>(?:[^"\\\n]|\\["\\n])*)",query_id="(?P<id>[0-9a-f]*)"'
SAMPLE = re.compile(r'(?P<name>xtrace_query_\w+)' + LABEL +
                    r'(?:,le="(?P<le>[^"]+)")?\} (?P<value>[0-9.]+)\n')
HEAD = re.compile(r'# (HELP|TYPE) xtrace_query_\w+ [^\n]+\n')


def parse(text):
    """Returns {id: {metric or bound: value}}. Each line must be valid."""
    found, at = collections.defaultdict(dict), 0
    while at < len(text):
        row = SAMPLE.match(text, at) or HEAD.match(text, at)
        case.true(row, f'a line: {text[at:at + 200]!r}')
        at = row.end()
        if row.re is SAMPLE:
            key = row['le'] or row['name'].removeprefix('xtrace_query_')
            case.true(key not in found[row['id']], f'{row[0]} is there twice')
            found[row['id']][key] = float(row['value'])
    return found


def check_buckets(row):
    bounds = [(float(key), value) for key, value in row.items()
              if re.fullmatch(r'[\d.]+|\+Inf', key)]
    case.equal([bound for bound, _ in bounds],
               sorted(bound for bound, _ in bounds), 'bounds rise')
    counts = [value for _, value in bounds]
    case.equal(counts, sorted(counts), f'counts rise: {row}')
    case.equal(row['+Inf'], row['duration_seconds_count'], 'the last is all')


def wanted(calls):
    """Of the JSON: {id: [calls, seconds, errors, rows, calls up to 10 ms]}."""
    sums = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for call in calls:
        row = sums[call['query']]
        row[0] += 1
        row[1] += call['duration']
        row[2] += 'failure' in call
        row[3] += max(call.get('rows', 0), 0)
        row[4] += call['duration'] <= 0.01
    return sums


def test():
    path = case.FOLDER / 'script.py'
    path.write_text(SCRIPT)
    untraced = case.untraced(case.PYTHON, path, feed=['go'])
    tracer = case.trace('--prometheus', 'out.prom', '--json=out.json',
                        command=[case.PYTHON, path])
    tracer.child.wait_for('ready')
    prom = case.FOLDER / 'out.prom'
    case.until(lambda: len(parse(prom.read_text())) >= 6,
               'the file is written while the script runs')
    early = parse(prom.read_text())
    tracer.child.say('go')
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err), untraced,
               'as untraced')
    found = parse(prom.read_text())
    calls = [row for row in map(json.loads, (case.FOLDER / 'out.json')
                                .read_text().splitlines())
             if row['event'] == 'call' and 'query' in row]
    sums = wanted(calls)
    case.true(len(sums) > LABELS_MOST, f'{len(sums)} queries')
    case.equal(len(found), LABELS_MOST + 1, 'labels, and one for the others')
    others = found.pop('')
    for name, row in found.items():
        check_buckets(row)
        count, took, errors, rows, brief = sums.pop(name)
        case.equal([row['duration_seconds_count'], row['errors_total'],
                    row['rows_total'], row['0.01']],
                   [count, errors, rows, brief], f'of {name}')
        # JSON shows the time of a brief call as 1 ns if less was measured.
        case.true(abs(row['duration_seconds_sum'] - took) < 1e-7,
                  f'time of {name}: {row} and {took}')
    check_buckets(others)
    case.equal(others['duration_seconds_count'],
               sum(row[0] for row in sums.values()), 'the others')
    for name, row in early.items():
        case.true(row['duration_seconds_count'] <=
                  found[name]['duration_seconds_count'], f'{name} counts up')
    case.equal([one.name for one in case.FOLDER.glob('out.prom*')],
               ['out.prom'], 'no draft is left')


case.main(test)
