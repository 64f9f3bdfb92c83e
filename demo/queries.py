#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A program that knows nothing of xtrace: it asks SQLite now and then.

Some of its queries are quick and one is slow; its output does not say which.
"""
import sqlite3
import sys
import time

COUNT = ('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n '
         'WHERE i < {}) SELECT count(*) FROM n')


def main():
    until = time.monotonic() + float(sys.argv[1])
    base = sqlite3.connect(':memory:', isolation_level=None)
    base.execute('CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)')
    number = 0
    while time.monotonic() < until:
        number += 1
        base.execute(f"INSERT INTO person VALUES ({number}, 'nr {number}')")
        base.execute(f'SELECT name FROM person WHERE id = {number}').fetchall()
        base.execute(COUNT.format(number % 4 * 400000)).fetchall()
        time.sleep(0.4)
    base.close()


if __name__ == '__main__':
    main()
