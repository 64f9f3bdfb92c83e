#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--set connections: clients that speak the protocol themselves connect, with
and without TLS, and log in or fail. Each attempt is one line with the user, the
database, a time that is not above the client's, the server's error and the line
of the script, and no password. Queries are not shown, even if a set reads
connections of another protocol.

NEEDS: mariadb postgresql mariadb-tls postgresql-tls
TIMEOUT: 120
"""
import json
import os
import re

import case

ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name.startswith(('PG', 'MARIADB', 'TLS'))}
PYTHON = '''
import asyncio
import os
import ssl
import time

import asyncpg
import pg8000
import pymysql

env = os.environ
times = []


def mysql(user, **more):
    base = pymysql.connect(user=user, password='secret' if user != 'root'
                           else '', database='xtrace', **more)
    base.cursor().execute('SELECT 1')
    base.close()


def postgres(database):
    unix = env['PGHOST'] + '/.s.PGSQL.' + env.get('PGPORT', '5432')
    pg8000.connect(user='xtrace', unix_sock=unix, database=database,
                   password='secret').close()


def asynchronous(database, **more):
    async def connect():
        base = await asyncpg.connect(user='xtrace', database=database,
                                     password='secret', **more)
        await base.execute('SELECT 1')
        await base.close()
    asyncio.run(connect())


def timed(what, *words, **more):
    began = time.perf_counter()
    try:
        what(*words, **more)
    except Exception as error:
        print(what.__name__, type(error).__name__, flush=True)
    times.append(time.perf_counter() - began)


trusting = ssl.create_default_context()
trusting.check_hostname = False
trusting.verify_mode = ssl.CERT_NONE
timed(mysql, 'root', unix_socket=env['MARIADB_SOCKET'])
timed(mysql, 'nobody-here', unix_socket=env['MARIADB_SOCKET'])
timed(postgres, 'postgres')
timed(postgres, 'nosuch')
timed(asynchronous, 'postgres', host=env['PGHOST'])
timed(asynchronous, 'nosuch', host=env['PGHOST'])
timed(mysql, 'root', unix_socket=env['TLS_MARIADB_SOCKET'],
      ssl={'ca': env['TLS_MARIADB_CA']})
timed(asynchronous, 'postgres', host='127.0.0.1', port=env['TLS_PGPORT'],
      ssl=trusting)
print('times', *times)
'''
PHP = '''<?php
function base($name)
{
    $base = new PDO("mysql:dbname=$name;unix_socket=" .
                    getenv('MARIADB_SOCKET'), 'root', '');
    $base->query('SELECT 1');
}

base('xtrace');
try {
    base('nosuch');
} catch (PDOException $error) {
    echo get_class($error), "\\n";
}
'''
WANTED = [('mysql', 'root', 'xtrace', None),
          ('mysql', 'nobody-here', 'xtrace', '28000'),
          ('postgresql', 'xtrace', 'postgres', None),
          ('postgresql', 'xtrace', 'nosuch', '3D000'),
          ('postgresql', 'xtrace', 'postgres', None),
          ('postgresql', 'xtrace', 'nosuch', '3D000'),
          ('mysql', 'root', 'xtrace', None),
          ('postgresql', 'xtrace', 'postgres', None)]
# asyncpg connects in a task of its own, so the coroutine that awaits this task
# is not on the stack.
LINES = ['mysql', 'mysql', 'postgres', 'postgres', 'asynchronous',
         'asynchronous', 'mysql', 'asynchronous']


def rows_of(suffix, text, program, *options):
    path = case.FOLDER / f'client.{suffix}'
    path.write_text(text)
    trace = case.FOLDER / f'{suffix}.json'
    tracer = case.trace('--set', 'connections', '-w', '1', f'--json={trace}',
                        *options, command=[program, path], env=ENVIRONMENT)
    tracer.wait(0)
    text = trace.read_text()
    case.true('secret' not in text and 'SELECT 1' not in text, text)
    rows = [json.loads(line) for line in text.splitlines()]
    return tracer, [row for row in rows if row['event'] == 'call']


def told(row):
    values = {argument['name']: argument['value']
              for argument in row['arguments']}
    return (row['name'].removesuffix('-connect'), values.get('user'),
            values.get('database'), row.get('failure', {}).get('state'))


def test():
    tracer, rows = rows_of('py', PYTHON, case.PYTHON)
    case.equal([told(row) for row in rows], WANTED, 'Python')
    case.equal([row['frames'][0]['function'] for row in rows], LINES,
               'the lines that connect')
    times = re.search(r'^times (.*)', tracer.child.out, re.M)[1].split()
    for row, took in zip(rows, map(float, times)):
        case.true(0 < row['duration'] <= took, f'{row} took {took}')
    case.equal(re.findall(r'^(\w+) \w+Error', tracer.child.out, re.M),
               ['mysql', 'postgres', 'asynchronous'],
               f'what fails: {tracer.child.out}')
    for options in (), ('--set', 'wire-redis'):
        tracer, rows = rows_of('php', PHP, '/usr/bin/php', *options)
        case.equal([told(row) for row in rows],
                   [('mysql', 'root', 'xtrace', None),
                    ('mysql', 'root', 'nosuch', '42000')], f'PHP {options}')
        case.equal([row['frames'][0]['function'] for row in rows],
                   ['base'] * 2, 'PHP: the lines')


case.main(test)
