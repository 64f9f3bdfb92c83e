#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A row costs no trap: fetching many rows, stored or one by one, or by COPY,
stops the program far less often than there are rows: at most twice for each
read of the connection, and for each attempt to read that finds nothing. libpq's
calls of poll(2) stop it only during a COPY. If libpq returns rows one by one, a
row stops it at most MOST_A_ROW times, also in Python, where all functions that
ctypes calls return to the same address.

NEEDS: mariadb postgresql
TIMEOUT: 60
"""
import os
import re

import case

ROWS = 20000
FEW = 10
READ = 16384  # bytes that a client reads at a time
TWICE = 2  # attempts per read: the first may find nothing
SLACK = 40  # stops at calls that not all clients make
STREAMED = 1000  # rows that are returned one by one
MOST_A_ROW = 4  # stops
MARIADB = '''
import os
import MySQLdb
import MySQLdb.cursors
base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                       db='xtrace', cursorclass=MySQLdb.cursors.%s)
cursor = base.cursor()
cursor.execute("SELECT seq, CONCAT('row ', seq) FROM seq_1_to_%d")
print(sum(1 for _ in cursor))
cursor.close()
'''
POSTGRESQL = '''
import io
import psycopg2
rows = io.StringIO()
psycopg2.connect('').cursor().copy_expert(
    "COPY (SELECT i, 'row' FROM generate_series(1, %d) AS i) TO STDOUT", rows)
print(rows.getvalue().count('\\n'))
'''
EXECUTED = '''
import psycopg2
cursor = psycopg2.connect('').cursor()
cursor.execute("SELECT i, 'row' FROM generate_series(1, %d) AS i")
print(len(cursor.fetchall()))
'''
ONE_BY_ONE = '''
import psycopg
cursor = psycopg.connect('').cursor()
print(sum(1 for _ in cursor.stream(
    "SELECT i, 'row' FROM generate_series(1, %d) AS i")))
'''


def traced(name, program, rows, env, *options):
    script = case.FOLDER / f'client-{name}.py'
    script.write_text(program)
    tracer = case.trace('--sql', '--stats', *options,
                        command=[case.PYTHON, script], env=env)
    tracer.wait(0)
    case.equal(tracer.child.out.strip(), str(rows), f'rows of {name}')
    return tracer


def traps(tracer):
    return int(re.search(r'stops: trap (\d+)', tracer.child.err)[1])


def stops(name, program, rows, env):
    """Returns the number of stops, and of bytes in the answer."""
    tracer = traced(name, program, rows, env)
    line = next((line for line in tracer.lines() if f' {rows} rows' in line), '')
    case.true(line, f'{name}: its line has the rows: {tracer.lines()}')
    return traps(tracer), int(re.search(r' (\d+) bytes', line)[1])


def check_polls(env):
    """System calls are counted apart from stops at traps, in the same run."""
    def count(rows):
        tracer = traced(f'executed-{rows}', EXECUTED % rows, rows, env, '-S',
                        'recvfrom,poll')
        lines = tracer.lines()
        return (traps(tracer), sum(' recvfrom@SYS(' in line for line in lines),
                sum(' poll@SYS(' in line for line in lines))
    few, many = count(FEW), count(ROWS)
    stopped, reads, polls = (b - a for a, b in zip(few, many))
    case.true(polls >= reads // 2 > 0, f'{polls} polls, {reads} reads')
    case.true(stopped <= 2 * reads + SLACK,
              f'{stopped} stops for {reads} reads and {polls} polls')


def check_one_by_one(env):
    few, many = (traps(traced(f'one-{rows}', ONE_BY_ONE % rows, rows, env))
                 for rows in (FEW, STREAMED))
    case.true(many - few <= MOST_A_ROW * STREAMED,
              f'one by one: {many - few} stops for {STREAMED} rows')


def test():
    env = {name: value for name, value in os.environ.items()
           if name.startswith(('PG', 'MARIADB'))}
    few, _ = stops('few', MARIADB % ('Cursor', FEW), FEW, env)
    for name, program in (('stored', MARIADB % ('Cursor', ROWS)),
                          ('used', MARIADB % ('SSCursor', ROWS)),
                          ('copy', POSTGRESQL % ROWS)):
        count, size = stops(name, program, ROWS, env)
        case.true(count < ROWS / 10, f'{name}: {count} stops for {ROWS} rows')
        # PostgreSQL may send smaller pieces, so a COPY may need more reads.
        if name != 'copy':
            most = few + SLACK + 2 * TWICE * size / READ
            case.true(count <= most, f'{name}: {count} stops, {few} for {FEW} '
                      f'rows, {size} bytes')
    check_polls(env)
    check_one_by_one(env)


case.main(test)
