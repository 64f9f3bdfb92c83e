# SPDX-License-Identifier: GPL-2.0-or-later
"""The matrix of drivers: what --sql shows of each, by functions and by wire.

The client of each driver (clients/README.md) makes the same queries, once
started by xtrace and once attached to. The trace must have

 - one line for each query, in order, with its whole text (one has 100 KB), seen
   at the function that drivers.py names;
 - a duration that is not less than the query sleeps, and not more than the
   client measured around the call (tests/lib/durations.py);
 - an error for each query to which the server answered with an error, and for
   no other;
 - every one of a thousand fast queries, also with eight threads (not for PHP's
   drivers, because PHP has no threads).

The results are written to the file that XTRACE_DRIVERS names, if it is set, one
JSON object a line; `make drivers` makes docs/DRIVERS.md of them.
"""
import json
import os
import re

import case
import durations

FAST = 1000
THREADS = 8
LONG = 100_000
# The drivers that are tested with threads, one of each kind. `make drivers`
# tests all drivers with threads.
CROWDED = ('mysqldb', 'pymysql', 'psycopg3', 'asyncpg', 'mysql2',
           'mysql2-prepared', 'pg-exec', 'dbd-mysql')
PAUSES = (0.05, 0.0002, 0.09, 0.001, 0.02, 0.003)
TOOLS = {'py': '/usr/bin/python3', 'rb': '/usr/bin/ruby',
         'php': '/usr/bin/php', 'pl': '/usr/bin/perl'}
SLEEP = {'mysql': 'SLEEP', 'pg': 'pg_sleep', 'sqlite': 'pause'}
WIRE = {'mysql': 'mysql', 'pg': 'postgresql'}
CALL = re.compile(r'(?:\d+ +)?\d+\.\d{6} (?P<name>[\w:@>.-]+) '
                  r'(?P<text>"(?:[^"\\]|\\.)*"|\?)(?P<cut>\.\.\.)?'
                  r'.*? = (?P<end>.*) <(?P<took>\d+\.\d+)>$')


class Driver:
    """suffix: that of the client's file; base: mysql, pg or sqlite; functions:
    at which --sql sees the queries; failed: at which it sees queries that
    fail, if these differ; tail: what the client adds to the text."""

    def __init__(self, suffix, name, base, functions=(), failed=(), tail=''):
        self.suffix = suffix
        self.name = name
        self.base = base
        self.functions = functions
        self.failed = failed or functions
        self.tail = tail
        self.threads = suffix != 'php'  # Debian's PHP has no threads

    def command(self, *more):
        return [TOOLS[self.suffix], case.SUPPORT / 'clients' /
                f'client.{self.suffix}', self.name, *more]


def env():
    return {name: value for name, value in os.environ.items()
            if name.startswith(('PG', 'MARIADB', 'TLS'))}


def rows_of(driver):
    """Returns [(count, SQL, seconds that it sleeps, None if it fails), ...]."""
    sleep = SLEEP[driver.base]
    rows = [(1, f'SELECT {sleep}({span}), {at}', span)
            for at, span in enumerate(PAUSES)]
    rows.append((1, 'SELEKT 3', None))
    rows.append((1, f"SELECT '{'x' * LONG}'", 0))
    rows += [(1, f'SELECT 10{at}', 0) for at in range(5)]
    rows.append((FAST, 'SELECT 4242', 0))
    return rows


def write(rows, name):
    path = case.FOLDER / name
    path.write_text(''.join(f'{count}\t{sql}\n' for count, sql, _ in rows))
    return path


class Asked:
    """What the client printed, and the calls in the trace."""

    def __init__(self, driver, rows, client, tracer):
        self.driver = driver
        self.rows = rows
        self.said = [row.split('\t')[1:] for row in client.out.splitlines()
                     if row.startswith('query\t')]
        self.lines = tracer.lines()
        self.calls = [found for found in map(CALL.match, self.lines) if found]

    def of(self, sql):
        """The calls whose query is this text. In a query that fails the driver
        may have put the value into the text."""
        whole = f'"{sql}{self.driver.tail}"'
        filled = f'"{sql}{self.driver.tail.replace("$1", chr(39) + "1")}'
        return [call for call in self.calls if call['text'] == whole or
                (self.driver.tail and call['text'].startswith(filled))]


def check_row(asked, row, said, seen):
    """Checks one query, or one that was made many times."""
    count, sql, span = row
    brief = sql[:40]
    calls = asked.of(sql)
    case.equal(len(calls), count, f'lines of {brief}')
    took, how = float(said[0]), said[1]
    case.equal(how, 'error' if span is None else 'ok', f'{brief}: the client')
    for call in calls:
        case.equal('ERROR' in call['end'], span is None,
                   f'{brief}: an error in {call["end"][:80]!r}')
        case.true(not call['cut'], f'{brief} is whole')
        case.true(call['name'] in seen[span is None],
                  f'{brief} was seen at {call["name"]}')
    # If the query was made several times, the client has measured all of them
    # as one.
    durations.check(brief, [float(call['took']) for call in calls], took,
                    span or 0)


def check_asked(asked, seen):
    case.equal(len(asked.said), len(asked.rows), 'rows that the client asked')
    wanted = [f'"{sql}{asked.driver.tail}"' for count, sql, span in asked.rows
              if count == 1 and span is not None]
    case.equal([call['text'][:40] for call in asked.calls
                if call['text'] in wanted], [text[:40] for text in wanted],
               'the order of the queries')
    for row, said in zip(asked.rows, asked.said):
        check_row(asked, row, said, seen)


def started(driver, options, path, rows):
    tracer = case.trace(*options, command=driver.command(path), env=env())
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.child.wait_for('end')
    tracer.wait(0)
    return Asked(driver, rows, tracer.child, tracer)


def attached(driver, options, path, rows):
    client = case.start(*driver.command(path), env=env())
    client.wait_for('ready')
    tracer = case.attach(client, *options)
    client.say()
    client.wait_for('end')
    case.finish(client)
    tracer.wait(0)
    return Asked(driver, rows, client, tracer)


def check_single(driver, options, seen, go):
    rows = rows_of(driver)
    asked = go(driver, options, write(rows, f'{driver.name}.rows'), rows)
    try:
        check_asked(asked, seen)
    except case.Failure as fault:
        case.fail(f'{driver.name}, {go.__name__}: {fault}',
                  *(line[:150] for line in asked.lines[:16]))


def check_threads(driver, options):
    """Each thread makes the same number of queries. None is lost, and each
    line has its thread's tid."""
    rows = [(FAST // THREADS, 'SELECT 4242', 0)]
    path = write(rows, f'{driver.name}.threads')
    tracer = case.trace('--json', *options,
                        command=driver.command(path, THREADS), env=env())
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.child.wait_for('end')
    tracer.wait(0)
    found = [row for row in map(json.loads, tracer.lines())
             if row['event'] == 'call' and
             row['arguments'][0]['value'] == 'SELECT 4242' + driver.tail]
    case.equal(len(found), FAST, f'{driver.name}: queries of {THREADS} threads')
    case.equal({row['end'] for row in found}, {'returned'}, 'how they ended')
    case.equal(len({row['tid'] for row in found}), THREADS, 'threads')


def noting():
    return os.environ.get('XTRACE_DRIVERS')


def note(**row):
    if noting():
        with open(noting(), 'a') as out:
            out.write(json.dumps(row) + '\n')


def check(driver, way, *gone, tls=False):
    """way: the set to use: "sql", with which xtrace looks at functions or
    connections, whichever the driver needs; or "wire", connections only."""
    options = ['-s', str(2 * LONG), '--set', way, '-ttt', '-T']
    if way == 'wire' or not driver.functions:
        seen = [WIRE[driver.base]], [WIRE[driver.base]]
    else:
        seen = driver.functions, driver.failed
    for go in gone:
        check_single(driver, options, seen, go)
    if driver.threads and (driver.name in CROWDED or noting()):
        check_threads(driver, options)
    note(client=driver.suffix, driver=driver.name, base=driver.base, way=way,
         tls=tls, seen=sorted({*seen[0], *seen[1]}),
         threads=driver.threads)


def run(drivers):
    for driver in drivers:
        check(driver, 'sql', started, attached)


def run_wire(drivers):
    for driver in drivers:
        if driver.base in WIRE and driver.functions:
            check(driver, 'wire', attached)
