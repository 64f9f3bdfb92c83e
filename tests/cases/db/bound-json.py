#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--json --bind: the bound values are an array of typed values, with $bytes if
a value is not text, whichever way xtrace learns the client's values.

NEEDS: mariadb postgresql
TIMEOUT: 180
"""
import json

import jsonschema

import case
import matrix

SQLITE = r'''
import sqlite3
base = sqlite3.connect(':memory:')
base.execute('select ?, ?, ?, ?, ?, ?, ?, ?', (42, 1.5, "it's", b'\0\1', None,
    'a\0b', 2**60, '')).fetchall()
'''
MYSQL2 = r'''
require 'mysql2'
base = Mysql2::Client.new(socket: ENV['MARIADB_SOCKET'], username: 'root',
                          database: 'xtrace')
query = base.prepare('SELECT ?, ?, ?, ?, ?')
query.execute(42, "b\0c\\", nil, 1.5, Date.new(2026, 1, 2)).to_a
'''
PHP = '''
$base = new mysqli(null, 'root', '', 'xtrace', 0, getenv('MARIADB_SOCKET'));
$query = $base->prepare('SELECT ?, ?, ?, ?');
$query->bind_param('issd', $a, $b, $c, $d);
[$a, $b, $c, $d] = [-42, "\\xff", null, 1.5];
$query->execute();
$query->get_result()->fetch_all();
'''
PG = r'''
require 'pg'
base = PG.connect
number = { value: [42].pack('N'), format: 1 }
base.exec_params('SELECT $1::text, $2::int4, $3::text', ["o\\", number, nil])
'''
ASYNCPG = '''
import asyncio
import asyncpg

async def ask():
    base = await asyncpg.connect()
    await base.fetch('SELECT $1::int, $2::text, $3::text', 42, "it's", None)
    await base.close()
asyncio.run(ask())
'''
NUMBER = {'$bytes': '\0\0\0*'}


def bytes_of(text):
    return {'$bytes': text}


def values(way, options, *command):
    """Returns [(the bound values of a call, whether they are cut), ...]."""
    schema = json.loads((case.TESTS.parent / 'docs' / 'json-schema.json')
                        .read_text())
    validator = jsonschema.Draft202012Validator(schema)
    tracer = case.trace('--set', way, '--json', '--bind', '-A', '20', *options,
                        command=command, env=matrix.env())
    tracer.wait(0)
    found = []
    for event in map(json.loads, tracer.lines()):
        case.equal([fault.message for fault in validator.iter_errors(event)],
                   [], f'{event}')
        found += [(argument['value'], argument.get('cut', False))
                  for argument in event.get('arguments', ())
                  if argument.get('name') == 'values']
    return found


def check(way, wanted, *command):
    case.equal(values(way, (), *command), [(wanted, False)],
               f'{way}, {command}')


def test_sqlite():
    command = [case.PYTHON, '-c', SQLITE]
    check('sql', [42, 1.5, "it's", bytes_of('\0\1'), None, bytes_of('a\0b'),
                  2**60, ''], *command)
    case.equal(values('sql', ('-s', '2'), *command),
               [([42, 1.5, 'it', bytes_of('\0\1'), None, bytes_of('a\0'),
                  2**60, ''], True)], 'cut by -s')
    tracer = case.trace('--sql', '--bind', command=command)
    tracer.wait(0)
    case.contains(tracer.lines(),
                  r'%any [42, 1.5, "it' "'" r's", "\0\001", NULL, "a\0b", '
                  r'1152921504606846976, ""] = SQLITE_DONE %any')


def test_mysql():
    ruby = ['/usr/bin/ruby', '-e', MYSQL2]
    check('sql', [42, bytes_of('b\0c\\'), None, 1.5,
                  {'year': 2026, 'month': 1, 'day': 2, 'hour': 0, 'minute': 0,
                   'second': 0, 'microseconds': 0, 'negative': 0}], *ruby)
    check('wire', [42, bytes_of('b\0c\\'), None, 1.5, '2026-01-02'], *ruby)
    check('sql', [-42, bytes_of('\xff'), None, 1.5], '/usr/bin/php', '-r', PHP)


def test_postgresql():
    ruby = ['/usr/bin/ruby', '-e', PG]
    for way in 'sql', 'wire':
        check(way, ['o\\', NUMBER, None], *ruby)
    check('sql', [42, "it's", None], case.PYTHON, '-c', ASYNCPG)


def test():
    test_sqlite()
    test_mysql()
    test_postgresql()


case.main(test)
