# SPDX-License-Identifier: GPL-2.0-or-later
"""A worker whose jobs are calls of perform(). They come from a list, from a
socket, and from the database; then the jobs are coroutines, which overlap. All
jobs have the same queries, and only those of the list have a parameter."""
import asyncio
import socket
import sqlite3

JOBS = 5
ROWS = 6
base = sqlite3.connect(':memory:', isolation_level=None)


def rows(job):
    found = []
    for row in range(ROWS):
        found += base.execute('SELECT ? + 1', (row,)).fetchall()
    return len(found) + job * 0


def perform(job=0):
    base.execute("SELECT 'first'").fetchall()
    count = rows(job)
    base.execute("SELECT 'last'").fetchall()
    return count


async def aperform(name):
    base.execute("SELECT 'first'").fetchall()
    count = 0
    for _ in range(ROWS):
        await asyncio.sleep(0)
        count += len(base.execute('SELECT 1 + ?', (name,)).fetchall())
    return count


def listed():
    return [perform(job) for job in range(JOBS)]


def sent():
    near, far = socket.socketpair()
    counts = []
    for _ in range(JOBS):
        far.send(b'job')
        near.recv(3)
        counts.append(perform())
    return counts


def stored():
    counts = []
    for job in range(JOBS):
        base.execute("SELECT 'the next job', ?", (job,)).fetchall()
        counts.append(perform())
    return counts


async def gathered():
    return await asyncio.gather(*(aperform(job) for job in range(JOBS)))


def awaited():
    return asyncio.run(gathered())


if __name__ == '__main__':
    print(listed(), sent(), stored(), awaited())
