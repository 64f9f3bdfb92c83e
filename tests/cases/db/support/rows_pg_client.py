# SPDX-License-Identifier: GPL-2.0-or-later
"""Fetches rows by psycopg2 and psycopg 3; see rowscase.py for what it prints.

With copy-in, each row begins with its number and is as large as the second
argument says. The third argument is the number of rows.
"""
import sys
import time

import psycopg
import psycopg2

NAP, LONG, NUMBER = float(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
old = psycopg2.connect('')
old.autocommit = True
old_cursor = old.cursor()
new = psycopg.connect('', autocommit=True)


def ran():
    """Seconds in which the thread ran or waited for a CPU, proc(5)."""
    with open('/proc/thread-self/schedstat') as file:
        return sum(map(int, file.read().split()[:2])) / 1e9


class Rows:
    """A file for COPY. Sleeps at each row that it takes; gives NUMBER rows."""

    def __init__(self, nap):
        self.nap = nap
        self.worked = 0
        self.left = NUMBER

    def sleep(self):
        began = time.perf_counter()
        if self.nap:
            time.sleep(self.nap)
        self.worked += time.perf_counter() - began

    def write(self, text):
        self.sleep()
        return len(text)

    def read(self, _):
        self.left -= 1
        return f'{self.left}\t{"y" * LONG}\n' if self.left >= 0 else ''


def old_copy(sql, nap):
    rows = Rows(nap)
    old_cursor.copy_expert(sql, rows)
    return rows.worked


def old_select(sql):
    old_cursor.execute(sql)
    old_cursor.fetchall()
    return 0


def new_select(sql):
    new.execute(sql).fetchall()
    return 0


def new_stream(sql):
    with new.cursor() as cursor:
        for _ in cursor.stream(sql):
            pass
    return 0


def new_copy(sql):
    with new.cursor().copy(sql) as rows:
        for _ in rows:
            pass
    return 0


WAYS = {'copy-out': lambda sql: old_copy(sql, 0),
        'copy-out-slowly': lambda sql: old_copy(sql, NAP),
        'copy-in': lambda sql: old_copy(sql, 0),
        'select': old_select, 'fetch': old_select,
        'select-3': new_select, 'stream-3': new_stream, 'copy-out-3': new_copy}

for line in sys.stdin:
    way, sql, *before = line.rstrip('\n').split('\t')
    for one in before:
        old_cursor.execute(one)
    began, busy = time.perf_counter(), ran()
    worked = WAYS[way](sql)
    took, busy = time.perf_counter() - began, ran() - busy
    print(f'query\t{way}\t{took:.6f}\t{worked:.6f}\t{took:.6f}\t{busy:.6f}',
          flush=True)
