#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches late. First, before the driver is loaded: xtrace must wait
for the driver, and --min-time then leaves the slow queries. Second, when
statements are already prepared: xtrace shows their text if it can find it, else
"?" and what else it knows of the statement. A query in two calls also has the
time that was spent within these calls. ^C prints the table.

NEEDS: mariadb postgresql
TIMEOUT: 60
"""
import json
import re

import case
import matrix

LOADS = '''
import os, sys
print('ready', flush=True)
sys.stdin.readline()
import MySQLdb
base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                       db='xtrace')
cursor = base.cursor()
for query in 'SELECT 1', 'SELECT SLEEP(0.3)', 'SELECT 2':
    cursor.execute(query)
    cursor.fetchall()
print('asked', flush=True)
sys.stdin.readline()
'''
SQLITE = '''
import sqlite3, sys
base = sqlite3.connect(':memory:')
base.execute('SELECT ?', (1,)).fetchall()
print('ready', flush=True)
sys.stdin.readline()
base.execute('SELECT ?', (2,)).fetchall()
'''
MYSQL2 = '''
require 'mysql2'
base = Mysql2::Client.new(socket: ENV['MARIADB_SOCKET'], username: 'root',
                          database: 'xtrace')
query = base.prepare('SELECT SLEEP(?)')
$stdout.sync = true
puts 'ready'
$stdin.gets
query.execute(0).to_a
base.query('SELECT SLEEP(0.2)', async: true)
sleep 0.1
base.async_result.to_a
'''
MYSQLI = '''
$base = new mysqli(null, 'root', '', 'xtrace', 0, getenv('MARIADB_SOCKET'));
$query = $base->prepare('SELECT 3');
echo "ready\n";
fgets(STDIN);
$query->execute();
$query->get_result();
'''
UNKNOWN = '''
require 'pg'
def one(base, name)
  base.exec_prepared(name)
end
bases = [PG.connect, PG.connect]
bases.product(%w[mine yours]) { |base, name| base.prepare(name, 'SELECT 3') }
$stdout.sync = true
puts 'ready'
$stdin.gets
bases.product(%w[mine yours]) { |base, name| one(base, name) }
bases.product(%w[mine yours]) { |base, name| base.exec_prepared(name) }
'''
ASYNCPG = '''
import asyncio, sys
import asyncpg

async def ask():
    base = await asyncpg.connect()
    query = await base.prepare('SELECT 4', name='mine')
    print('ready', flush=True)
    sys.stdin.readline()
    await query.fetch()
    await base.close()
asyncio.run(ask())
'''


def attached(command, *options):
    client = case.start(*command, env=matrix.env())
    client.wait_for('ready')
    tracer = case.attach(client, *options)
    client.say()
    return client, tracer


def lines_of(command, *options):
    client, tracer = attached(command, '--sql', *options)
    case.finish(client)
    tracer.wait(0)
    return [re.sub(r'^(\d+ +)?\S+ (.*?)( \(first [^()]*\))?( <[0-9.]+>)?$',
                   r'\2', line)
            for line in tracer.lines()]


def test_loads():
    client, tracer = attached([case.PYTHON, '-c', LOADS], '--sql',
                              '--min-time', '250ms', '--json')
    client.wait_for('asked')
    client.say()
    case.finish(client)
    tracer.wait(0)
    rows = [row for row in map(json.loads, tracer.lines())
            if row['event'] == 'call']
    case.true('SELECT SLEEP(0.3)' in [row['arguments'][0]['value']
                                      for row in rows], 'the slow query')
    case.true(all(row['duration'] >= 0.25 for row in rows), 'and no fast one')


def test_table():
    """After xtrace has left, the table has the first two queries, and the
    client runs on."""
    client, tracer = attached([case.PYTHON, '-c', LOADS], '--sql', '--summary')
    client.wait_for('asked')
    tracer.leave()
    client.say()
    case.finish(client)
    text = '\n'.join(tracer.lines())
    for row in (r' 2 .* select \?$', r' 1 .* select sleep\(\?\)$'):
        case.true(re.search(row, text, re.M), f'{row} in the table:\n{text}')


def test_prepared():
    case.true('sqlite3_step "SELECT ?" = SQLITE_DONE' in
              lines_of([case.PYTHON, '-c', SQLITE]), 'sqlite3 has the text')
    lines = lines_of(['/usr/bin/ruby', '-e', MYSQL2])
    case.true(any(re.match(r'mysql_stmt_execute \? 0x[0-9a-f]+ = 0$', line)
                  for line in lines), f'mysql2 has the handle: {lines}')
    lines = lines_of(['/usr/bin/php', '-r', MYSQLI])
    case.equal([re.sub(r'\d+" \d+', 'N" D', line) for line in lines
                if line.startswith('mysql')],
               ['mysql ? "N" D = 1'], 'mysqli has the number')
    lines = lines_of([case.PYTHON, '-c', ASYNCPG])
    case.equal([line for line in lines if line.startswith('postgresql')][:1],
               ['postgresql "SELECT 4" = 1'], 'asyncpg has the text')


def test_unknown_rows():
    """A statement whose text is not known has a row of its own for each
    connection. The row names the line that executed it first."""
    client, tracer = attached(['/usr/bin/ruby', '-e', UNKNOWN], '--sql',
                              '--summary', '--json')
    case.finish(client)
    tracer.wait(0)
    rows = [row for row in map(json.loads, tracer.lines())
            if row['event'] == 'row']
    case.equal(sorted((row['calls'], re.sub('0x[0-9a-f]+', 'X', row['name']))
                      for row in rows),
               [(2, f'? X "{name}" at -e:4 in one')
                for name in ('mine', 'mine', 'yours', 'yours')],
               'rows of unknown statements')
    case.equal(len({row['name'] for row in rows}), 4, 'different rows')


def test_halves():
    client, tracer = attached(['/usr/bin/ruby', '-e', MYSQL2], '--sql',
                              '--json')
    case.finish(client)
    tracer.wait(0)
    row = [row for row in map(json.loads, tracer.lines())
           if row.get('name') == 'mysql_send_query' and
           'SLEEP' in row['arguments'][0]['value']][0]
    case.true(row['duration'] >= 0.2, f'the whole query: {row["duration"]}')
    # The client sleeps for 0.1 s between the two calls.
    case.true(0 < row['inside'] <= row['duration'] - 0.1,
              f'within calls: {row["inside"]}; the client waits between them')


def test():
    test_loads()
    test_table()
    test_prepared()
    test_unknown_rows()
    test_halves()


case.main(test)
