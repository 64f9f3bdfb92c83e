# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of SQLite, which inserts each number once. For a word of its input
it inserts 50; after `load`, two threads insert without a pause until `rest`. At
the end it prints how many numbers it has used, and how many rows there are.
"""
import sqlite3
import sys
import threading

SOME = 50
base = sqlite3.connect(':memory:', isolation_level=None,
                       check_same_thread=False)
base.execute('CREATE TABLE t(a INTEGER UNIQUE)')
lock = threading.Lock()
rest = threading.Event()
used = 0


def insert():
    global used
    with lock:
        base.execute(f'INSERT INTO t VALUES ({used})')
        used += 1


def insert_until_rest():
    while not rest.is_set():
        insert()


threads = []
print('ready', flush=True)
for word in map(str.strip, sys.stdin):
    first = used
    if word == 'end':
        break
    if word == 'load':
        threads = [threading.Thread(target=insert_until_rest)
                   for _ in range(2)]
        for thread in threads:
            thread.start()
    elif word == 'rest':
        rest.set()
        for thread in threads:
            thread.join()
        print('rests', flush=True)
    else:
        for _ in range(SOME):
            insert()
        print('did', word, first, used, flush=True)
rows, = base.execute('SELECT count(*) FROM t').fetchone()
print(f'count {used}, rows {rows}')
sys.exit(5)
