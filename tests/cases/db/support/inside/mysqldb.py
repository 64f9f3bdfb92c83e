# SPDX-License-Identifier: GPL-2.0-or-later
"""Many fast queries by MySQLdb, and some slow ones: with a slow first row, with
a slow row later, without rows, with a long text, with a slow second result,
with an error, of two connections by turns, of a new connection, and of
threads."""
import os

import MySQLdb
import MySQLdb.cursors
from MySQLdb.constants import CLIENT
from fast import fast, in_threads

ROWS = ("SELECT seq, REPEAT('x', 200), SLEEP(IF(seq = 1500, 0.1, 0)) "
        "FROM seq_1_to_2000 /* slow, %s */")


def connect():
    return MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'],
                           user='root', db='xtrace',
                           client_flag=CLIENT.MULTI_STATEMENTS)


def rows(cursor, sql):
    cursor.execute(sql)
    print(sum(1 for _ in cursor))


def two_results(cursor, sql):
    # One line: the stack of a query may be that of a later call of it.
    print(cursor.execute(sql), cursor.nextset(), cursor.rowcount)


def by_row(base, name):
    cursor = base.cursor(MySQLdb.cursors.SSCursor)
    for i in range(40):
        cursor.execute(f'SELECT {i}')
        cursor.fetchall()
    rows(cursor, ROWS % name)
    cursor.close()


def work(number):
    cursor = connect().cursor()
    fast(cursor, 100)
    cursor.execute(f'SELECT SLEEP(0.1), {number} /* slow, thread */')
    cursor.fetchall()
    fast(cursor)
    cursor.execute(ROWS % f'thread {number}')
    cursor.fetchall()


def main():
    base = connect()
    cursor = base.cursor()
    fast(cursor, 150)
    rows(cursor, 'SELECT SLEEP(0.1) /* slow, first */')
    fast(cursor)
    rows(cursor, ROWS % 'later')
    fast(cursor)
    cursor.execute('DO SLEEP(0.1) /* slow, no rows */')
    fast(cursor)
    rows(cursor, f"SELECT /* slow, long */ SLEEP(0.1), '{'y' * 3000}'")
    fast(cursor)
    two_results(cursor, 'SELECT 1; SELECT SLEEP(0.1) /* slow, second result */')
    fast(cursor)
    two_results(cursor, 'SELECT 2; DO SLEEP(0.1) /* slow, second without rows */')
    fast(cursor)
    try:
        cursor.execute('SELECT nothing')
    except MySQLdb.Error as error:
        print(error.args[0])
    by_row(base, 'by row')
    other = connect()
    for _ in range(60):
        fast(cursor, 1)
        fast(other.cursor(), 1)
    rows(other.cursor(), 'SELECT SLEEP(0.1) /* slow, other */')
    fast(cursor, 1)
    rows(cursor, ROWS % 'by turns')
    other.close()
    by_row(connect(), 'new connection')
    in_threads(work)


main()
