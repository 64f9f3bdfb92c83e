#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""MariaDB's functions that do not block (mysql_real_query_start and _cont,
with separate stacks): one line for each query, the time from its beginning to
its end, errors. xtrace starts the client, or attaches to it.

NEEDS: mariadb
"""
import os
import re

import case

LINE = re.compile(r'(?:\d+ +)?\S+ (\S+) "([^"]*)" = (\S+)( ERROR \d+)?.*? '
                  r'<([\d.]+)>$')
START = 'mysql_real_query_start'
ASKED = [(START, 'SELECT 1', None), (START, 'SELECT SLEEP(0.2)', None),
         (START, 'SELEKT 3', ' ERROR 1064'),
         *[(START, 'SELECT 4', None)] * 20,
         ('mysql_stmt_execute', 'SELECT SLEEP(0.1), 5', None),
         ('mysql_stmt_prepare', 'SELEKT 6', ' ERROR 1064')]
SLEPT = {'SELECT SLEEP(0.2)': 0.2, 'SELECT SLEEP(0.1), 5': 0.1}


def check(tracer, what):
    rows = [found for found in map(LINE.match, tracer.lines()) if found]
    case.equal([(row[1], row[2], row[4]) for row in rows], ASKED, what)
    for row in rows:
        took, slept = float(row[5]), SLEPT.get(row[2], 0)
        case.true(took >= slept, f'{what}: {row[2]} took {took}')


def test():
    program = case.build('halves_client.c')
    env = {'MARIADB_SOCKET': os.environ['MARIADB_SOCKET']}
    tracer = case.trace('--sql', command=[program], env=env)
    tracer.wait(0)
    check(tracer, 'started')
    client = case.start(program, 'wait', env=env)
    client.wait_for('ready')
    tracer = case.attach(client, '--sql')
    client.say()
    case.finish(client)
    tracer.wait(0)
    check(tracer, 'attached')


case.main(test)
