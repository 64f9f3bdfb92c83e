#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The time of a query ends at its last row, with every driver: a wait before the
header, a wait before each row, many rows, two results. The time is not below
the server's sleeps, and not above what the client measured; rows and bytes are
those of the answer, whether they were seen at functions or on the connection.

NEEDS: mariadb postgresql
TIMEOUT: 400
SLOW: all drivers
"""
import json
import os
import subprocess

import case
import drivers
import durations
import matrix

LONG = 40000
NUMBER = 8
SLEEP = 0.02
MANY = 5000
BASES = {'mysql': (
    'SELECT SLEEP(0.1)',
    f"SELECT seq, REPEAT('x', {LONG}), SLEEP({SLEEP}) FROM seq_1_to_{NUMBER}",
    f"SELECT seq, CONCAT('row ', seq) FROM seq_1_to_{MANY}",
    'CALL two_columns()'),
         'pg': (
    'SELECT pg_sleep(0.1)::text',
    f"SELECT i, repeat('x', {LONG}), pg_sleep({SLEEP})::text "
    f'FROM generate_series(1, {NUMBER}) AS i',
    f"SELECT i, 'row ' || i FROM generate_series(1, {MANY}) AS i",
    'SELECT pg_sleep(0.02)::text; SELECT pg_sleep(0.03)::text')}
FIRST = 0.02  # seconds that the first of two results sleeps
SLEPT = 0.1, NUMBER * SLEEP, 0, 0.05
ROWS = 1, NUMBER, MANY
# The bytes of an answer: at least the characters of its rows, and at most a
# little more, for what the protocol adds.
BYTES = (1, 200), (NUMBER * LONG, NUMBER * LONG + 2000), (8 * MANY, 40 * MANY)
TWO = ("CREATE OR REPLACE PROCEDURE two_columns() BEGIN SELECT SLEEP(0.02), 1; "
       "SELECT SLEEP(0.03), 2; END")
# These clients fetch both results in one call, or cannot send two texts as one
# query.
TWO_RESULTS = ('psycopg2', 'psycopg3', 'pg-exec', 'pg-sync', 'pgsql',
               'pdo-pgsql-emulated', 'dbd-pg', 'mysqli-prepared', 'pdo-mysql',
               'pdo-mysql-native', 'dbd-mysql', 'dbd-mariadb')


def check(driver, sql, column, row, took):
    what = f'{driver.name}: {sql}'
    slept = SLEPT[column]
    # The server begins with the second result while the client works on the
    # first; libmariadb's functions return between the two.
    if column == 3 and driver.functions and driver.base == 'mysql':
        slept = FIRST
    durations.check(what, row['wall'], took, slept)
    durations.check(what, row['duration'], took, slept - row['uncertainty'])
    case.true(row['first'] + row['fetching'] <= row['duration'] + 2e-9,
              f'{what}: {row["first"]} + {row["fetching"]} is no more than '
              f'{row["duration"]}')
    if column == 3:
        return
    case.equal(row.get('rows'), ROWS[column], f'rows of {what}')
    least, most = BYTES[column]
    case.true(least <= row.get('bytes', -1) <= most,
              f'{what}: {row.get("bytes")} bytes')


def run(driver):
    count = 4 if driver.name in TWO_RESULTS else 3
    if driver.name == 'pg8000':
        count = 2  # pg8000 1.10 cannot fetch MANY rows
    queries = BASES[driver.base][:count]
    path = case.FOLDER / f'{driver.suffix}-{driver.name}'
    path.write_text(''.join(f'1\t{sql}\n' for sql in queries))
    tracer = case.trace('--sql', '--json', '-s', '200', env=matrix.env(),
                        command=driver.command(path))
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.wait(0)
    said = [line.split('\t')[1:] for line in tracer.child.out.splitlines()
            if line.startswith('query\t')]
    case.equal([how for _, how in said], ['ok'] * count, driver.name)
    rows = [row for row in map(json.loads, tracer.lines())
            if row['event'] == 'call' and row['arguments']]
    for column, (sql, (took, _)) in enumerate(zip(queries, said)):
        found = [row for row in rows if str(row['arguments'][0].get(
            'value')).startswith(sql)]
        case.equal(len(found), 1, f'{driver.name}: lines of {sql}')
        check(driver, sql, column, found[0], float(took))


def test():
    subprocess.run(['mariadb', '--no-defaults', '--user=root', '--socket',
                    os.environ['MARIADB_SOCKET'], '--delimiter=//', '-e', TWO,
                    'xtrace'], check=True)
    for driver in (drivers.PYTHON + drivers.RUBY + drivers.PHP +
                   drivers.PERL):
        if driver.base in BASES:
            run(driver)


case.main(test)
