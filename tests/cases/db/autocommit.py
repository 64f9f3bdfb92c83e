#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""If --transactions finds no transaction, it says why. For Django in autocommit
with MySQL and PostgreSQL it says that no query left a transaction open, and how
many queries there were. With atomic() there is a transaction, and no reason. It
also says if there was no query, and if the server did not tell the state.

NEEDS: mariadb postgresql
NEEDS: /usr/lib/python3/dist-packages/django
TIMEOUT: 120
"""
import re

import case
import matrix

ASKED = 5
SITE = f'''
import os, sys
import django
from django.conf import settings
settings.configure(DATABASES={{'default': {{
    'mysql': {{'ENGINE': 'django.db.backends.mysql', 'NAME': 'xtrace',
              'USER': 'root', 'OPTIONS':
              {{'unix_socket': os.environ['MARIADB_SOCKET']}}}},
    'postgresql': {{'ENGINE': 'django.db.backends.postgresql',
                   'NAME': os.environ['PGDATABASE'],
                   'USER': os.environ['PGUSER'], 'HOST': os.environ['PGHOST']}},
    'sqlite3': {{'ENGINE': 'django.db.backends.sqlite3', 'NAME': ':memory:'}},
}}[sys.argv[1]]}})
django.setup()
from django.db import connection, transaction
def ask():
    for number in range({ASKED}):
        with connection.cursor() as cursor:
            cursor.execute('SELECT %s', [number])
            print(tuple(cursor.fetchall()))
ask()
if 'atomic' in sys.argv:
    with transaction.atomic():
        ask()
'''
# MySQL does not tell after an error whether a transaction is open.
FAILS = '''
import os
import MySQLdb
base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root')
try:
    base.query('SELEKT 1')
except MySQLdb.Error:
    print('failed')
'''


ANSWERS = ''.join(f'(({number},),)\n' for number in range(ASKED))


def last_line(said, *words):
    """Traces the client, which must write `said`. Returns the last line."""
    command = [case.PYTHON, case.FOLDER / 'client.py', *words]
    tracer = case.trace('--transactions', command=command, env=matrix.env())
    tracer.wait(0)
    case.equal(tracer.child.out, said, f'{words}: output')
    return tracer.lines()[-1]


def test():
    path = case.FOLDER / 'client.py'
    path.write_text(SITE)
    for engine in 'mysql', 'postgresql':
        line = last_line(ANSWERS, engine)
        told = re.fullmatch(r'0 transactions: no query of (\d+) left one open, '
                            'as with autocommit', line)
        # A driver makes some queries of its own when it connects.
        case.true(told and ASKED <= int(told[1]) <= ASKED + 20,
                  f'{engine}: {line}')
    line = last_line(ANSWERS * 2, 'sqlite3', 'atomic')
    case.true(re.fullmatch('1 transaction, .* of it', line), f'atomic: {line}')
    path.write_text('print(1)')
    case.equal(last_line('1\n'), '0 transactions: no query was seen', 'no query')
    path.write_text(FAILS)
    line = last_line('failed\n')
    case.true(re.match('0 transactions: .*after 1 query, nothing told whether '
                       'one was open$', line), f'failed: {line}')


case.main(test)
