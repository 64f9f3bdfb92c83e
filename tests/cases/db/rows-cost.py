#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A row costs no trap: fetching many rows, stored or one by one, or by COPY,
stops the program far less often than there are rows: at most twice for each
read of the connection, and for each attempt to read that finds nothing.

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


def stops(name, program, rows, env):
    """Returns the number of stops, and of bytes in the answer."""
    script = case.FOLDER / f'{name}.py'
    script.write_text(program)
    tracer = case.trace('--sql', '--stats', command=[case.PYTHON, script],
                        env=env)
    tracer.wait(0)
    case.equal(tracer.child.out.strip(), str(rows), f'rows of {name}')
    line = next((line for line in tracer.lines() if f' {rows} rows' in line), '')
    case.true(line, f'{name}: its line has the rows: {tracer.lines()}')
    return (int(re.search(r'stops: trap (\d+)', tracer.child.err)[1]),
            int(re.search(r' (\d+) bytes', line)[1]))


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


case.main(test)
