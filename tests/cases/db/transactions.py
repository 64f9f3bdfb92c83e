#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--transactions: each transaction of a client with its time, the time in which
it was idle, and its end, whether BEGIN is sent or autocommit is off. The table
has the lines that begin them, and after which query they were idle. xtrace
attaches in a transaction, and leaves in one. The client's output is as untraced.

NEEDS: mariadb postgresql
TIMEOUT: 180
"""
import json
import re

import jsonschema

import case
import durations
import matrix

NAP = 0.1
# `base` is a connection, and `run` executes a query. The client writes how long
# it has slept in the first transaction, and how long that transaction took.
WORK = '''
import time
run = base.cursor().execute
def save():
    began = time.monotonic()
    run("insert into work values (1)")
    asked = time.monotonic()
    time.sleep(0.1)
    slept = time.monotonic() - asked
    run("insert into work values (2)")
    base.commit()
    open("naps", "w").write(f"{slept} {time.monotonic() - began}")
def undo():
    run("insert into work values (3)")
    base.rollback()
def leave_open():
    run("insert into work values (4)")
    time.sleep(0.05)
    base.close()
run("drop table if exists work")
base.commit()
run("create table work(a int)%s")
base.commit()
save()
undo()
cursor = base.cursor()
cursor.execute("select a from work order by a")
print(*cursor.fetchall())
base.commit()
leave_open()
'''
MYSQL = '''
import os
import %s as driver
base = driver.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                      database='xtrace')
''' + WORK % ' engine=innodb'
PLAIN = WORK % ''
POSTGRES = '''
import os
import %s as driver
base = driver.connect(%s)
'''
PG8000 = ("user=os.environ['PGUSER'], database=os.environ['PGDATABASE'], "
          "unix_sock=os.environ['PGHOST'] + '/.s.PGSQL.5432'")
SQLITE = 'import sqlite3\nbase = sqlite3.connect("base.db")\n' + PLAIN
# In MySQL, a statement that creates a table ends the transaction itself.
BRIEF = ['committed', 'rolled-back', 'committed', 'closed']
CLIENTS = {
    'MySQLdb': (MYSQL % 'MySQLdb', BRIEF),
    'PyMySQL': (MYSQL % 'pymysql', BRIEF),
    'psycopg2': (POSTGRES % ('psycopg2', "''") + PLAIN,
                 ['committed'] * 2 + BRIEF),
    'psycopg 3': (POSTGRES % ('psycopg', "''") + PLAIN,
                 ['committed'] * 2 + BRIEF),
    'pg8000': (POSTGRES % ('pg8000', PG8000) + PLAIN,
                 ['committed'] * 2 + BRIEF),
    # Python's sqlite3 begins a transaction only before it changes something.
    'sqlite3': (SQLITE, ['committed', 'rolled-back', 'closed']),
}
SCHEMA = jsonschema.Draft202012Validator(json.loads(
    (case.TESTS.parent / 'docs' / 'json-schema.json').read_text()))
WAITS = '''
import os, sys, time
import pymysql
base = pymysql.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                       database='xtrace', autocommit=True)
run = base.cursor().execute
base.begin()
run("select 1")
print("ready", flush=True)
sys.stdin.readline()
run("select 2")
base.commit()
base.begin()
print("begun", flush=True)
sys.stdin.readline()
base.commit()
'''


def rows_of(name):
    rows = [json.loads(line) for line in
            (case.FOLDER / name).read_text().splitlines()]
    for row in rows:
        SCHEMA.validate(row)
    return ([row for row in rows if row['event'] == 'transaction'],
            [row for row in rows if row['event'] == 'call'])


def asked_in(calls, transaction):
    return [call for call in calls
            if call.get('transaction') == transaction['transaction']]


def longest_after(own):
    """The query after which the transaction was idle for longest: the first
    INSERT, unless the client has waited for a CPU after another query for longer
    than it has slept."""
    at = max(range(1, len(own)), key=lambda at: own[at]['idle'])
    text = own[at - 1]['arguments'][0]['value'].lower()
    return re.sub(r' \(\d\)$', '(?+)', text)


def check_json(name, ends):
    transactions, calls = rows_of('out.json')
    case.equal([row['end'] for row in transactions], ends, f'{name}: ends')
    case.true(not any('before' in row for row in transactions), name)
    for row in transactions:
        own = asked_in(calls, row)
        case.equal(row['queries'], len(own), f'{name}: queries of {row}')
        # A transaction that ends because its connection is closed was idle
        # until then.
        rest = row['idle'] - sum(call['idle'] for call in own)
        case.true(rest >= 0.05 if row['end'] == 'closed' else abs(rest) < 1e-8,
                  f'{name}: {row} and {own}')
        # By a measuring error the time of a brief call may be below 0. It is
        # shown as 1 ns, and is added up as it is.
        more = sum(call['duration'] for call in own) - row['database']
        brief = any(call['duration'] <= 1e-9 for call in own)
        case.true(-1e-8 < more and (brief or more < 1e-8),
                  f'{name}: {row["database"]} in {own}')
    saved = next(row for row in transactions if any(
        '(1)' in call['arguments'][0]['value']
        for call in asked_in(calls, row)))
    slept, took = map(float, (case.FOLDER / 'naps').read_text().split())
    case.true(slept >= NAP, 'the nap')
    durations.check(f'{name}: idle', saved['idle'], took, NAP)
    durations.check(f'{name}: all', saved['duration'], took, NAP)
    durations.check(f'{name}: by the clock', saved['wall'], took, NAP)
    own = asked_in(calls, saved)
    first = next(at for at, call in enumerate(own)
                 if '(1)' in call['arguments'][0]['value'])
    durations.check(f'{name}: idle after the first INSERT',
                    own[first + 1]['idle'], took, NAP)
    return saved, longest_after(own)


def seconds(text):
    """Returns the least and the most seconds that a time of a table can stand
    for. Its further digits are left out, not rounded."""
    number, unit = re.fullmatch(r'(\d+(?:\.\d+)?)(ms|s)', text).groups()
    last = 10 ** -len(number.partition('.')[2])
    scale = 0.001 if unit == 'ms' else 1
    return float(number) * scale - 1e-9, (float(number) + last) * scale


def check_table(name, lines, count, saved, query):
    """Columns: transactions, mean, max, idle, share, queries, rollbacks,
    line."""
    at = next((at for at, line in enumerate(lines)
               if line.endswith(' in save')), 0)
    row = lines[at].split()
    case.equal(row[0], '1', f'{name}: {lines}')
    for text, told in (row[1], 'duration'), (row[3], 'idle'):
        least, most = seconds(text)
        case.true(least <= saved[told] <= most, f'{name}: {row}, {saved}')
    share = 100 * saved['idle'] / saved['duration']
    case.true(abs(float(row[4].rstrip('%')) - share) < 0.06, f'{name}: {row}')
    place = re.fullmatch(rf'    idle (\S+) after  {re.escape(query)} at '
                         r'\S+client\.py:\d+ in save', lines[at + 1])
    case.true(place, f'{name}: {lines[at + 1]}, not after {query}')
    case.true(NAP <= seconds(place[1])[1] and
              seconds(place[1])[0] <= saved['idle'], f'{name}: {place[0]}')
    undone = next(line for line in lines if line.endswith(' in undo'))
    # The column before the rollbacks may be blank in this row, because the
    # transaction was hardly idle.
    head = next(line for line in lines if line.startswith('transactions '))
    end = head.index('rollbacks') + len('rollbacks')
    case.equal(undone[:end].split()[-1], '1', f'{name}: rolled back')
    case.equal(undone[end - 2:end], ' 1', f'{name}: {undone}')
    case.true(re.match(f'{count} transactions, ', lines[-1]), lines[-1])


def client(name):
    source, ends = CLIENTS[name]
    path = case.FOLDER / 'client.py'
    path.write_text(source)
    untraced = case.untraced(case.PYTHON, path, env=matrix.env())
    tracer = case.trace('--transactions', '--json=out.json',
                        command=[case.PYTHON, path], env=matrix.env())
    case.equal((tracer.wait(), tracer.child.out), untraced[:2],
               f'{name}: status and output')
    case.equal(untraced[0], 0, f'{name}: {untraced[2]}')
    saved, query = check_json(name, ends)
    check_table(name, tracer.lines(), len(ends), saved, query)


def attached():
    path = case.FOLDER / 'client.py'
    path.write_text(WAITS)
    subject = case.start(case.PYTHON, path, env=matrix.env())
    subject.wait_for('ready')
    tracer = case.attach(subject, '--transactions', '--json=out.json')
    subject.say()
    subject.wait_for('begun')
    tracer.leave()
    transactions, _ = rows_of('out.json')
    case.equal([(row['end'], row.get('before', False)) for row in transactions],
               [('committed', True), ('unfinished', False)], 'attached')
    lines = tracer.lines()
    case.equal(sorted(line.partition(' in <module> (')[2] for line in lines
                      if ' in <module> (' in line),
               ['1 begun before)', '1 unfinished)'], f'attached: {lines}')
    subject.say()
    case.finish(subject)


def test():
    for name in CLIENTS:
        client(name)
    attached()


case.main(test)
