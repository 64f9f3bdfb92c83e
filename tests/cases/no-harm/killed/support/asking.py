# SPDX-License-Identifier: GPL-2.0-or-later
"""Threads ask SQLite all the time, under a timer, and each answer is checked.
Each line that is read has an answer after some more queries."""
import signal
import sqlite3
import sys
import threading
import time

ROWS = 20
faults = []
queries = [0]
stopped = threading.Event()


def ask():
    base = sqlite3.connect(':memory:')
    base.execute('CREATE TABLE few(value)')
    base.executemany('INSERT INTO few VALUES(?)',
                     [(i,) for i in range(ROWS)])
    number = 0
    while not stopped.is_set():
        number += 1
        rows = base.execute('SELECT value + ? FROM few', (number,)).fetchall()
        if rows != [(i + number,) for i in range(ROWS)]:
            faults.append(rows)
        queries[0] += 1


signal.signal(signal.SIGALRM, lambda *_: None)
threads = [threading.Thread(target=ask) for _ in range(3)]
for thread in threads:
    thread.start()
signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
print('ready', flush=True)
for line in sys.stdin:
    if line.strip() == 'stop':
        break
    wanted = queries[0] + 20
    while queries[0] < wanted:
        time.sleep(0.001)
    print(line.strip(), 'done', flush=True)
stopped.set()
for thread in threads:
    thread.join()
signal.setitimer(signal.ITIMER_REAL, 0)
print('faults', faults[:3], flush=True)
