# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of SQLite that does what its input says."""
import sqlite3
import sys

base = sqlite3.connect(':memory:', isolation_level=None)
base.create_function('wait', 0, lambda: sys.stdin.readline() and 1)
base.execute('CREATE TABLE t(a)')


def ask(number):
    base.execute('INSERT INTO t VALUES(?)', (number,))


def fail():
    try:
        base.execute('SELECT nothing')
    except sqlite3.OperationalError as error:
        print(error)


def wait():
    print('waits', flush=True)
    base.execute('SELECT wait()').fetchall()


print('ready', flush=True)
while True:
    word = sys.stdin.readline().strip()
    if word == 'wait':
        wait()
    elif word == 'fail':
        fail()
    elif word:
        for each in range(int(word)):
            ask(each)
    else:
        break
    print('done', flush=True)
print(base.execute('SELECT count(*), sum(a) FROM t').fetchall())
sys.exit(3)
