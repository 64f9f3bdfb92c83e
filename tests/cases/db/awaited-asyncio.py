#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Coroutines await the answers to queries when xtrace attaches. The thread waits
in the event loop, and each query is shown at once, with its text and the line
that asked it, and with its time since the attach when it ends or when xtrace
leaves. A coroutine that waits for something else is not shown. All this holds
also with the loop of uvloop, which has no frames of Python.

NEEDS: mariadb postgresql /usr/lib/python3/dist-packages/uvloop
TIMEOUT: 120
"""
import re

import case
import matrix
from cutting import PostgreSQL

SCRIPT = '''
import asyncio
import os
import sys

import asyncpg
import psycopg

HOST = os.environ['PGHOST']


async def tell(name, asking):
    try:
        await asking
        print(name, 'ok', flush=True)
    except Exception as error:
        print(name, type(error).__name__, flush=True)


async def simple(base, sql):
    await tell('simple', base.execute(sql))  # LINE simple


async def bound(base, sql):
    await tell('bound', base.fetch(sql + ' WHERE $1 = 1', 1))  # LINE bound


async def prepared(base, sql):
    statement = await base.prepare(sql)
    await tell('prepared', statement.fetch())  # LINE prepared


async def cursor(base, sql):
    await tell('cursor', base.cursor().execute(sql))  # LINE cursor


async def idle():
    await asyncio.Event().wait()


async def main():
    bases = [await asyncpg.connect(user='xtrace', database='postgres',
                                   host=HOST) for _ in range(3)]
    bases.append(await psycopg.AsyncConnection.connect(
        f'host={HOST} user=xtrace dbname=postgres', autocommit=True))
    waiting = asyncio.create_task(idle())
    asking = [asyncio.create_task(form(base, sql)) for form, base, sql in
              zip((simple, bound, prepared, cursor), bases, sys.argv[1:])]
    done = asyncio.gather(*asking)
    await done
    for base in bases:
        await base.execute('SELECT 2')
        await base.close()
    waiting.cancel()
    print('over', flush=True)


asyncio.run(main())
'''
UVLOOP = SCRIPT.replace('asyncio.run(', 'import uvloop\nuvloop.install()\n'
                        'asyncio.run(')
FORMS = ('simple', 'bound', 'prepared', 'cursor')
ERRORS = {'cursor': 'QueryCanceled'}
OPEN = re.compile(r'(?:\d+ )?\S+ postgresql "([^"]*)"[ ?]* <in flight \.\.\.>$')
ENDED = re.compile(r'(?:\d+ )?\S+ postgresql "([^"]*)"[ ?]* = (.*) '
                   r'<(\d+\.\d{6})(\+?)>$')
LEFT = re.compile(r'(?:\d+ )?\S+ postgresql "([^"]*)"[ ?]* '
                  r'<unfinished \.\.\.> <(\d+\.\d{6})\+>$')
OTHER = re.compile(r'(?:\d+ )?\S+ (\w+) "SELECT 2".* <\d+\.\d{6}>$')


class Hanging:
    def __init__(self, mark, text=SCRIPT):
        self.sql = {form: PostgreSQL.sleep(f"'asyncio {form} {mark}'")
                    for form in FORMS}
        script = case.FOLDER / f'{mark}.py'
        script.write_text(text)
        self.lines = {form: f'{script}:{i}' for form in FORMS
                      for i, line in enumerate(text.splitlines(), 1)
                      if line.endswith(f'# LINE {form}')}
        self.client = case.start(case.PYTHON, script, *self.sql.values(),
                                 env=matrix.env())
        self.sql['bound'] += ' WHERE $1 = 1'
        self.numbers = [
            case.until(lambda: PostgreSQL.busy(sql.replace("'", "''")),
                       f'{form} hangs') for form, sql in self.sql.items()]
        self.tracer = case.attach(self.client, '--sql', '-s', '200', '-w', '3')
        case.until(lambda: len(self.found(OPEN)) >= len(FORMS),
                   'all queries are shown to hang')

    def found(self, form):
        return [row for row in map(form.match, self.tracer.lines()) if row]

    def cancel(self):
        for number in self.numbers:
            PostgreSQL.ask(f'SELECT pg_cancel_backend({number})')

    def check(self, rows, what):
        text = '\n'.join(self.tracer.lines())
        case.equal(sorted(row[1] for row in rows), sorted(self.sql.values()),
                   f'{what} in\n{text}')

    def check_lines(self):
        """The frames of a query are those of the coroutine that awaits it."""
        lines = self.tracer.lines()
        for form, sql in self.sql.items():
            at = [i for i, line in enumerate(lines)
                  if f'"{sql}"' in line and OPEN.match(line)][0]
            frames = '\n'.join(lines[at + 1:at + 5])
            case.true(f'{self.lines[form]} in {form}' in frames or
                      f'{form} at {self.lines[form]}' in frames,
                      f'{form}: {frames}')

    def finish(self):
        case.finish(self.client)
        got = dict(line.split() for line in self.client.out.splitlines()
                   if ' ' in line)
        case.equal(got, {form: ERRORS.get(form, 'QueryCanceledError')
                         for form in FORMS}, 'what the client got')
        case.true(self.client.out.endswith('over\n'), self.client.out)


def ends(*about):
    one = Hanging(*about)
    one.cancel()
    one.finish()
    one.tracer.wait(0)
    one.check(one.found(OPEN), 'lines of queries that hang')
    one.check_lines()
    ended = [row for row in one.found(ENDED) if row[1] in one.sql.values()]
    one.check(ended, 'lines of ends')
    for row in ended:
        case.true(' ERROR ' in row[2] and row[4] == '+', row[0])
    after = [row for row in map(OTHER.match, one.tracer.lines()) if row]
    case.equal(len(after), 4, 'the queries after them: ' +
               '\n'.join(one.tracer.lines()))


def leaves():
    one = Hanging('left')
    one.tracer.leave()
    one.check(one.found(LEFT), 'lines at the end')
    one.cancel()
    one.finish()


def test():
    ends('ends')
    ends('loop', UVLOOP)
    leaves()


case.main(test)
