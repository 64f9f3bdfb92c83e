#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A program without any code for xtrace that queries SQLite now and then.

Its output does not show that one of its queries is slow.
"""
import sqlite3
import sys
import time

COUNT = ('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n '
         'WHERE i < {}) SELECT count(*) FROM n')


def add(base, number):
    base.execute(f"INSERT INTO person VALUES ({number}, 'nr {number}')")


def find(base, number):
    base.execute(f'SELECT name FROM person WHERE id = {number}').fetchall()


def report(base, number):
    base.execute(COUNT.format(number % 4 * 400000)).fetchall()


def main():
    until = time.monotonic() + float(sys.argv[1])
    base = sqlite3.connect(':memory:', isolation_level=None)
    base.execute('CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT)')
    number = 0
    while time.monotonic() < until:
        number += 1
        add(base, number)
        find(base, number)
        report(base, number)
        time.sleep(0.4)
    base.close()


if __name__ == '__main__':
    main()
