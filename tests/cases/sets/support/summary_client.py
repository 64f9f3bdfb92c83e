# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries of five kinds on SQLite, from two functions. It writes "ready" and
reads a line first, and prints at the end what it did last.
"""
import sqlite3
import threading

LONG = 'x' * 100000


def read(base, number):
    values = ', '.join(str(value) for value in range(number + 1))
    base.execute(f'SELECT * FROM t WHERE a IN ({values})').fetchall()


def write(base, number):
    base.execute(f"insert  into t values({number}, 'x{number}')")


def work():
    base = sqlite3.connect(':memory:', isolation_level=None)
    base.execute('CREATE TABLE t(a, b)')
    for number in range(30):
        write(base, number)
    for number in range(20):
        read(base, number)
    base.execute(f"SELECT length('{LONG}') /* {LONG} */ FROM t LIMIT 2, 3")
    for number in range(4):
        try:
            base.execute(f'SELECT nothing FROM t WHERE a = {number}')
        except sqlite3.OperationalError:
            pass


print('ready', flush=True)
input()
thread = threading.Thread(target=work)
thread.start()
thread.join()
work()
print('done')
