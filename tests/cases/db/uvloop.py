#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""uvloop sends a query when the coroutine that asked it waits already. Each
query of asyncpg is shown with its text, even if its statement was prepared
before xtrace attached, and with the line of the coroutine that asked it. Tasks
of asyncio.gather() ask at the same time.

NEEDS: postgresql /usr/lib/python3/dist-packages/uvloop
TIMEOUT: 60
"""
import json

import case
import matrix

TASKS = 3
ROUNDS = 3
SCRIPT = f'''
import asyncio
import sys

import asyncpg
import uvloop


async def simple(base, number):
    await base.execute(f"SELECT 'simple {{number}}'")  # LINE simple


async def bound(base, number):
    query = f"SELECT 'bound {{number}}' || $1::text"
    await base.fetch(query, 'it')  # LINE bound


async def own(base, number):
    if number not in known:
        known[number] = await base.prepare(f"SELECT 'own {{number}}' WHERE $1")
    await known[number].fetch(True)  # LINE own


async def ask(base, number):
    for form in simple, bound, own:
        await form(base, number)


async def main():
    bases = [await asyncpg.connect() for _ in range({TASKS})]
    asleep = [asyncio.create_task(asyncio.sleep(60)) for _ in range(20)]
    for round in range({ROUNDS} + 1):
        await asyncio.gather(*map(ask, bases, range({TASKS})))
        if round == 0:
            print('ready', flush=True)
            await asyncio.to_thread(sys.stdin.readline)
    for base in bases:
        await base.close()
    print('over', flush=True)


known = {{}}
uvloop.install()
asyncio.run(main())
'''
TEXTS = {'simple': "SELECT 'simple {}'", 'bound': "SELECT 'bound {}' || $1::text",
         'own': "SELECT 'own {}' WHERE $1"}


def test():
    script = case.FOLDER / 'asking.py'
    script.write_text(SCRIPT)
    marks = {line.partition('# LINE ')[2]: at for at, line in
             enumerate(SCRIPT.splitlines(), 1)}
    client = case.start(case.PYTHON, script, env=matrix.env())
    client.wait_for('ready')
    tracer = case.attach(client, '--sql', '--json', '-s', '200', '-w', '2')
    client.say()
    case.finish(client)
    tracer.wait(0)
    case.equal(client.out, 'ready\nover\n', "the client's output")
    found = []
    for row in map(json.loads, tracer.lines()):
        if row['event'] == 'call':
            frame = row['frames'][0]
            found.append((row['arguments'][0].get('value'), frame['function'],
                          frame['file'], frame['line']))
    wanted = [(text.format(number), form, str(script), marks[form])
              for form, text in TEXTS.items() for number in range(TASKS)]
    case.equal(sorted(found, key=str), sorted(wanted * ROUNDS, key=str),
               'texts and lines')


case.main(test)
