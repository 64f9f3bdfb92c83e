#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--set connections: each connection of real clients has a line with its time,
its error and the script's line, and no password. --requests counts the time of
connecting for the request that connects.

NEEDS: mariadb postgresql gunicorn
TIMEOUT: 120
"""
import os
import re
import socket

import case

ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name.startswith(('PG', 'MARIADB'))}
PYTHON = '''
import os
import MySQLdb
import psycopg2

def mysql(user):
    return MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'], user=user,
                           password='secret' if user != 'root' else '')

def postgres(base):
    return psycopg2.connect(dbname=base)

mysql('root').close()
postgres('postgres').close()
for connect, name in ((mysql, 'nobody-here'), (postgres, 'nosuch')):
    try:
        connect(name)
    except Exception as fault:
        print(type(fault).__name__)
'''
RUBY = '''
require 'mysql2'
Mysql2::Client.new(socket: ENV['MARIADB_SOCKET'], username: 'root').close
'''
# Clients whose drivers call a function for each step of connecting.
STEPS = {
    'py': ("import psycopg\nfor base in 'postgres', 'nosuch':\n    try:\n"
           "        psycopg.connect(dbname=base, password='secret').close()\n"
           "    except psycopg.Error as fault:\n        pass\n", case.PYTHON),
    'rb': ("require 'pg'\n%w[postgres nosuch].each do |base|\n"
           "  begin\n    PG.connect(dbname: base, password: 'secret').close\n"
           "  rescue PG::Error\n  end\nend\n", '/usr/bin/ruby'),
}
PERL = '''
use DBI;
DBI->connect("DBI:mysql:mysql_socket=$ENV{MARIADB_SOCKET}", 'root', '');
DBI->connect('DBI:Pg:', '', '');
'''
PHP = '''<?php
pg_connect('password=secret');
new PDO('pgsql:');
'''
SITE = '''
import os
import MySQLdb

def application(environ, start):
    base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'],
                           user='root')
    cursor = base.cursor()
    cursor.execute('SELECT 1')
    base.close()
    start('200 OK', [])
    return [b'asked']
'''
LINE = re.compile(r'^[\d:.]+ (\w+) .*? = (.*) <(\d+\.\d+)>$')


def lines_of(suffix, text, program):
    path = case.FOLDER / f'client.{suffix}'
    path.write_text(text)
    tracer = case.trace('--set', 'connections', '-w', '1',
                        command=[program, path], env=ENVIRONMENT)
    tracer.wait()
    lines = tracer.lines()
    case.true(not any('secret' in line for line in lines), f'no password: {lines}')
    found = [LINE.match(line).groups() for line in lines if LINE.match(line)]
    case.true(all(float(time) > 0 for _, _, time in found), f'times: {lines}')
    places = [re.sub(r'.*(client\.)', r'\1', line) for line in lines
              if line.startswith('    ') and 'client.' in line]
    return [(name, result) for name, result, _ in found], places


def test_clients():
    calls, places = lines_of('py', PYTHON, case.PYTHON)
    case.equal([name for name, _ in calls],
               ['mysql_real_connect', 'PQconnectdb'] * 2, 'Python')
    case.equal(places, ['client.py:7 in mysql', 'client.py:11 in postgres'] * 2,
               'the lines that connect')
    case.true('ERROR' not in calls[0][1] and calls[1][1] == 'CONNECTION_OK',
              f'{calls[:2]}')
    case.true(' ERROR ' in calls[2][1] and '(28000)' in calls[2][1],
              f'a wrong user: {calls[2]}')
    case.true(calls[3][1].startswith('CONNECTION_BAD'), f'{calls[3]}')
    calls, _ = lines_of('rb', RUBY, '/usr/bin/ruby')
    case.equal([name for name, _ in calls], ['mysql_real_connect'], 'mysql2')
    calls, _ = lines_of('pl', PERL, '/usr/bin/perl')
    case.equal([name for name, _ in calls],
               ['mysql_real_connect', 'PQconnectdb'], 'Perl')
    calls, _ = lines_of('php', PHP, '/usr/bin/php')
    case.equal([name for name, _ in calls], ['PQconnectdb'] * 2, 'PHP')


def test_steps():
    for suffix, (text, program) in STEPS.items():
        calls, places = lines_of(suffix, text, program)
        case.true([re.sub('Params$', '', name) for name, _ in calls] ==
                  ['PQconnectStart'] * 2, f'{suffix}: {calls}')
        case.equal([result.split()[0] for _, result in calls],
                   ['CONNECTION_OK', 'CONNECTION_BAD'], suffix)
        case.equal(len(places), 2, f'{suffix}: {places}')


def ask(path):
    with socket.socket(socket.AF_UNIX) as near:
        near.settimeout(case.LIMIT)
        near.connect(str(path))
        near.sendall(b'GET /page HTTP/1.0\r\n\r\n')
        parts = [near.recv(65536)]
        while parts[-1]:
            parts.append(near.recv(65536))
    return b'asked' in b''.join(parts)


def answers(path):
    try:
        return ask(path)
    except OSError:
        return False


def test_requests():
    (case.FOLDER / 'pages.py').write_text(SITE)
    path = case.FOLDER / 'socket'
    server = case.start('/usr/bin/gunicorn', '--chdir', case.FOLDER, '-b',
                        f'unix:{path}', '--worker-tmp-dir', case.FOLDER,
                        'pages:application', env=ENVIRONMENT)
    case.until(lambda: answers(path), 'gunicorn serves', case.LIMIT)
    tracer = case.attach(server, '--requests', '-f')
    for _ in range(3):
        case.true(ask(path), 'an answer')
    tracer.leave()
    # Columns: requests, mean, database, share, connect, queries, rows
    row, = [line.split() for line in tracer.lines()
            if line.endswith(' GET /page')]
    case.true(row[0] == '3' and re.match(r'[\d.]+[mu]s$', row[4]) and
              int(row[5]) >= 3, f'the time to connect: {row}')
    server.signal(15)
    server.wait()


def test():
    test_clients()
    test_steps()
    test_requests()


case.main(test)
