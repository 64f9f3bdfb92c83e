#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions of a real PHP that have no symbols. The set php finds some by the
names that a script uses, others in a table that mysqlnd exports. xtrace starts
PHP, which then fills its tables, or attaches to it. If the set sql is used as
well, no query is shown twice.

NEEDS: mariadb
"""
import os
import re

import case

PHP = '/usr/bin/php'
ASKED = [
    ('PDO::query', 'SELECT SLEEP(0.1)', 'PHP_OBJECT'),
    ('PDO::query', 'SELEKT 1', 'PHP_FALSE'),
    ('PDO::exec', 'DO 2', 'PHP_LONG'),
    ('PDO::prepare', 'SELEKT 3', 'PHP_FALSE'),
    ('PDOStatement::execute', 'SELECT 4', 'PHP_TRUE'),
    ('PDOStatement::execute', 'SELECT 4', 'PHP_TRUE'),
    ('mysqli::query', 'SELECT 5', 'PHP_OBJECT'),
    ('mysqli::query', 'SELECT 6', 'PHP_OBJECT'),
    ('mysqli_stmt::execute', 'SELECT 7', 'PHP_TRUE'),
    ('mysqli_stmt::execute', 'SELECT 7', 'PHP_TRUE')]
TABLE = '''
set "text queries of mysqlnd";
bool(int) mysqlnd_query(addr connection, sql[length] query, ulong length);
probe mysqlnd_query at mysqlnd_mysqlnd_conn_data_methods + 24 { show query; }
'''
# The queries of the client, without the SET that it sends when it connects.
PLAIN = ['SELECT SLEEP(0.1)', 'SELEKT 1', 'DO 2', 'SELECT 5', 'SELECT 6']
LINE = re.compile(r'(?:\d+ +)?\S+ (?P<name>\S+) "(?P<text>[^"]*)" = '
                  r'(?P<result>.*?) <(?P<took>[\d.]+)>$')


def started(*options):
    tracer = case.trace(*options, command=[PHP, case.SUPPORT / 'php_client.php'],
                        env=env())
    tracer.wait(0)
    return list(filter(None, map(LINE.match, tracer.lines())))


def attached(*options):
    client = case.start(PHP, case.SUPPORT / 'php_client.php', 'wait', env=env())
    client.wait_for('ready')
    tracer = case.attach(client, *options)
    client.say()
    case.finish(client)
    tracer.wait(0)
    return list(filter(None, map(LINE.match, tracer.lines())))


def env():
    return {'MARIADB_SOCKET': os.environ['MARIADB_SOCKET']}


def test():
    table = case.FOLDER / 'table.conf'
    table.write_text(TABLE)
    for go in started, attached:
        for options in ('--set', 'php'), ('--set', 'php', '--sql'):
            rows = go(*options)
            case.equal([(row['name'], row['text'], row['result'])
                        for row in rows], ASKED, f'{go.__name__}, {options}')
            case.true(float(rows[0]['took']) >= 0.1, f'it took as it slept: {rows[0]}, {go.__name__} {options}')
        rows = go('--set', table)
        case.equal([(row['name'], row['text']) for row in rows
                    if not row['text'].startswith('SET ')],
                   [('mysqlnd_query', text) for text in PLAIN],
                   f'{go.__name__}, by its table')
        case.true(float(rows[0]['took']) >= 0.1, 'by its table: the time')


case.main(test)
