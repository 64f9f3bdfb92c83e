#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--group-by where names the line of the script that makes the query, even if
lines of the driver are further in. With -w 1, which starts at the top of the
stack, only the driver's line is known.

NEEDS: mariadb
TIMEOUT: 180
"""
import json

import case
import matrix

PYTHON = '''
import os
import MySQLdb
import pymysql

def first(cursor):
    cursor.execute('SELECT 1')

def second(cursor):
    cursor.execute('SELECT 2')

for driver in MySQLdb, pymysql:
    base = driver.connect(unix_socket=os.environ['MARIADB_SOCKET'],
                          user='root', db='xtrace')
    for _ in range(3):
        first(base.cursor())
    second(base.cursor())
'''
RUBY = '''
require 'sequel'

def first(base)
  base.fetch('SELECT 1').all
end

def second(base)
  base.fetch('SELECT 2').all
end

base = Sequel.connect(adapter: 'mysql2', socket: ENV['MARIADB_SOCKET'],
                      user: 'root', database: 'xtrace')
3.times { first(base) }
second(base)
'''


def asked(script, tool, *options):
    """Returns {line of the script: how many of the two queries it made}."""
    tracer = case.trace('--sql', '--summary', '--json', '--group-by', 'where',
                        *options, command=[tool, script], env=matrix.env())
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    rows = [json.loads(line) for line in tracer.lines()]
    return {row['name']: row['calls'] for row in rows if row['event'] == 'row'}


def check(name, text, tool, times):
    script = case.FOLDER / name
    script.write_text(text)
    lines = text.splitlines()
    wanted = {}
    for number, query in (3, 'SELECT 1'), (1, 'SELECT 2'):
        at = [i for i, line in enumerate(lines, 1) if query in line][0]
        function = 'first' if number == 3 else 'second'
        wanted[f'{script}:{at} in {function}'] = number * times
    got = asked(script, tool)
    case.equal({place: got.get(place) for place in wanted}, wanted,
               f'{name}: the lines that make the queries, of {got}')
    few = asked(script, tool, '-w', '1', '--stack-from=top')
    case.true(few and not any(place in wanted for place in few),
              f'{name}: one frame, of the driver: {few}')


def test():
    check('script.py', PYTHON, case.PYTHON, 2)
    check('script.rb', RUBY, '/usr/bin/ruby', 1)


case.main(test)
