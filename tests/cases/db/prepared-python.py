#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Statements that Python's drivers prepared before xtrace attached. Each
execution is shown with its text, from the first one on, in the client's order.

NEEDS: postgresql
TIMEOUT: 60
"""
import case
import prepared

PSYCOPG = '''
import sys
import psycopg

base = psycopg.connect(prepare_threshold=0)
cursor = base.cursor()

def ask(name, value):
    cursor.execute(f"SELECT '{name}' || %s::text", [str(value)])
    cursor.fetchall()
''' + prepared.PYTHON
PIPELINE = '''
import sys
import psycopg

base = psycopg.connect(prepare_threshold=0)
cursor = base.cursor()

def ask(name, value):
    cursor.executemany(f"SELECT '{name}' || %s::text", [[str(value)]])
''' + prepared.PYTHON
PSYCOPG_ASYNC = '''
import asyncio, sys
import psycopg

loop = asyncio.new_event_loop()
base = loop.run_until_complete(
    psycopg.AsyncConnection.connect(prepare_threshold=0))

async def run(name, value):
    cursor = await base.execute(f"SELECT '{name}' || %s::text", [str(value)])
    await cursor.fetchall()

def ask(name, value):
    loop.run_until_complete(run(name, value))
''' + prepared.PYTHON
# asyncpg: executemany() and fetch() execute statements of the driver's cache,
# and prepare() makes one that belongs to the program.
ASYNCPG = '''
import asyncio, sys
import asyncpg

loop = asyncio.new_event_loop()
base = loop.run_until_complete(asyncpg.connect())
own = {}

async def run(name, value):
    query = f"SELECT '{name}' || $1::text"
    if name == 'two':
        await base.executemany(query, [[str(value)]])
    elif name == 'three':
        if name not in own:
            own[name] = await base.prepare(query)
        await own[name].fetchval(str(value))
    else:
        await base.fetch(query, str(value))

def ask(name, value):
    loop.run_until_complete(run(name, value))
''' + prepared.PYTHON


def test():
    for name, text, place in (('psycopg 3', PSYCOPG, '$1'),
                              ('psycopg 3, executemany', PIPELINE, '$1'),
                              ('psycopg 3, asyncio', PSYCOPG_ASYNC, '$1'),
                              ('asyncpg', ASYNCPG, '$1')):
        prepared.check(name, [case.PYTHON, '-c', text],
                       lambda word: f"SELECT '{word}' || {place}::text")


case.main(test)
