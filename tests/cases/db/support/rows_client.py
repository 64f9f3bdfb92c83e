# SPDX-License-Identifier: GPL-2.0-or-later
"""Fetches rows by MySQLdb; see rowscase.py for what it prints."""
import os
import sys
import time

import MySQLdb
import MySQLdb.cursors

NAP = float(sys.argv[1])
base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                       db='xtrace')


def ran():
    """Seconds in which the thread ran or waited for a CPU, proc(5)."""
    with open('/proc/thread-self/schedstat') as file:
        return sum(map(int, file.read().split()[:2])) / 1e9


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
        began = time.perf_counter()
        time.sleep(NAP)
        worked += time.perf_counter() - began
    return worked


def fetch_one(cursor):
    cursor.fetchone()
    return 0


WAYS = {'stored': (None, fetch_all), 'stored-sets': (None, fetch_sets),
        'used': (MySQLdb.cursors.SSCursor, fetch_all),
        'used-sets': (MySQLdb.cursors.SSCursor, fetch_sets),
        'used-slowly': (MySQLdb.cursors.SSCursor, fetch_slowly),
        'given-up': (MySQLdb.cursors.SSCursor, fetch_one)}

for line in sys.stdin:
    way, sql = line.rstrip('\n').split('\t')
    kind, fetch = WAYS[way]
    cursor = base.cursor(kind)
    began, busy = time.perf_counter(), ran()
    cursor.execute(sql)
    asked = time.perf_counter() - began
    worked = fetch(cursor)
    cursor.close()
    del cursor
    took, busy = time.perf_counter() - began, ran() - busy
    print(f'query\t{way}\t{took:.6f}\t{worked:.6f}\t{asked:.6f}\t{busy:.6f}',
          flush=True)
