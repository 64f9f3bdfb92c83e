# SPDX-License-Identifier: GPL-2.0-or-later
"""Fetches rows by MySQLdb, and by libmariadb itself; see rowscase.py for what it
prints."""
import ctypes
import os
import sys
import time

import MySQLdb
import MySQLdb.cursors

NAP = float(sys.argv[1])
NAPS = 8
base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                       db='xtrace')


def ran():
    """Seconds in which the thread ran or waited for a CPU, proc(5)."""
    with open('/proc/thread-self/schedstat') as file:
        return sum(map(int, file.read().split()[:2])) / 1e9


def nap(naps=1):
    began = time.perf_counter()
    time.sleep(NAP * naps)
    return time.perf_counter() - began


def fetch_all(cursor):
    cursor.fetchall()
    return 0


def fetch_sets(cursor):
    cursor.fetchall()
    while cursor.nextset():
        cursor.fetchall()
    return 0


def fetch_slowly(cursor):
    worked = 0
    while cursor.fetchone():
        worked += nap()
    return worked


def fetch_one(cursor):
    cursor.fetchone()
    return 0


def with_cursor(kind, fetch):
    def ask(sql):
        cursor = base.cursor(kind)
        began = clock()
        cursor.execute(sql)
        asked = time.perf_counter() - began[0]
        worked = fetch(cursor)
        cursor.close()
        return began, asked, worked

    return ask


def store_later(sql):
    """The client works after the query, and stores the rows then."""
    began = clock()
    base.query(sql)
    asked = time.perf_counter() - began[0]
    worked = nap(NAPS)
    base.store_result()
    return began, asked, worked


class Library:
    """A connection of libmariadb's own functions."""

    def __init__(self):
        self.functions = ctypes.CDLL('libmariadb.so.3')
        for name in 'mysql_init', 'mysql_real_connect', 'mysql_stmt_init':
            getattr(self.functions, name).restype = ctypes.c_void_p
        self.handle = self.call('mysql_init', None)
        assert self.call('mysql_real_connect', self.handle, None, b'root', None,
                         b'xtrace', 0, os.environ['MARIADB_SOCKET'].encode(), 0)

    def call(self, name, *arguments):
        return getattr(self.functions, name)(*[
            ctypes.c_void_p(argument) if isinstance(argument, int) and argument
            else argument for argument in arguments])


def execute_and_store_later(sql):
    """The same with a prepared statement."""
    library = Library()
    text = sql.encode()
    statement = library.call('mysql_stmt_init', library.handle)
    assert not library.call('mysql_stmt_prepare', statement, text,
                            ctypes.c_ulong(len(text)))
    began = clock()
    assert not library.call('mysql_stmt_execute', statement)
    asked = time.perf_counter() - began[0]
    worked = nap(NAPS)
    assert not library.call('mysql_stmt_store_result', statement)
    library.call('mysql_stmt_close', statement)
    return began, asked, worked


def clock():
    return time.perf_counter(), ran()


SLOWLY = MySQLdb.cursors.SSCursor
WAYS = {'stored': with_cursor(None, fetch_all),
        'stored-sets': with_cursor(None, fetch_sets),
        'used': with_cursor(SLOWLY, fetch_all),
        'used-sets': with_cursor(SLOWLY, fetch_sets),
        'used-slowly': with_cursor(SLOWLY, fetch_slowly),
        'given-up': with_cursor(SLOWLY, fetch_one),
        'stored-later': store_later,
        'executed-later': execute_and_store_later}

for line in sys.stdin:
    way, sql = line.rstrip('\n').split('\t')
    (began, busy), asked, worked = WAYS[way](sql)
    took, busy = time.perf_counter() - began, ran() - busy
    print(f'query\t{way}\t{took:.6f}\t{worked:.6f}\t{asked:.6f}\t{busy:.6f}',
          flush=True)
