#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What --bind shows of values that real clients bind: at the functions of
libmariadb and libpq, and on the wire. Without --bind none is shown.

NEEDS: mariadb postgresql
TIMEOUT: 180
"""
import json
import re

import case
import matrix

MYSQL2 = r'''
require 'mysql2'
base = Mysql2::Client.new(socket: ENV['MARIADB_SOCKET'], username: 'root',
                          database: 'xtrace')
query = base.prepare('SELECT ?, ?, ?, ?, ?')
query.execute(42, "it's", nil, 1.5, Time.utc(2026, 1, 2, 3, 4, 5)).to_a
query.execute(-1, "b\0c\\", nil, 2**40, Date.new(2026, 1, 2)).to_a
'''
PERL = '''
use DBI;
my $base = DBI->connect("DBI:mysql:database=xtrace;" .
    "mysql_socket=$ENV{MARIADB_SOCKET}", 'root', '',
    { RaiseError => 1, mysql_server_prepare => 1 });
my $query = $base->prepare('SELECT ?, ?, ?');
$query->execute(7, 'seven', undef);
$query->fetchall_arrayref;
'''
PHP = '''
$base = new mysqli(null, 'root', '', 'xtrace', 0, getenv('MARIADB_SOCKET'));
$query = $base->prepare('SELECT ?, ?, ?, ?');
$query->bind_param('issd', $a, $b, $c, $d);
foreach ([42, 43] as $a) {
    [$b, $c, $d] = ["it's", null, 1.5];
    $query->execute();
    $query->get_result()->fetch_all();
}
$base = new PDO('mysql:unix_socket=' . getenv('MARIADB_SOCKET') .
    ';dbname=xtrace', 'root', '', [PDO::ATTR_EMULATE_PREPARES => false]);
$query = $base->prepare('SELECT ?, ?');
$query->execute([1, 'zwei']);
$query->fetchAll();
'''
PG = r'''
require 'pg'
base = PG.connect
number = { value: [42].pack('N'), format: 1 }
base.exec_params('SELECT $1::text, $2::int4, $3::text', ["o\\", number, nil])
base.prepare('two', 'SELECT $1::int4, $2::text')
base.exec_prepared('two', [number, 'two'])
'''
PSYCOPG = '''
import psycopg
base = psycopg.connect('', autocommit=True)
base.execute('SELECT %b, %s', (5, 'x')).fetchall()
base.execute('SELECT %b, %b, %b, %b, %b, %b',
             (-70000, 2**40, 1.5, False, 'text', None)).fetchall()
'''
PSYCOPG_TYPES = '''
import datetime
import decimal
import ipaddress
import uuid
import psycopg
from psycopg.types.json import Jsonb

base = psycopg.connect('', autocommit=True)
moment = datetime.datetime(2026, 1, 2, 3, 4, 5, 60000)
zone = datetime.timezone(datetime.timedelta(hours=2))
base.execute('SELECT %b, %b, %b, %b, %b, %b',
             (moment, moment.replace(tzinfo=zone), moment.date(),
              moment.time(), moment.time().replace(tzinfo=zone),
              datetime.timedelta(-3, 7))).fetchall()
base.execute('SELECT %b, %b, %b, %b, %b',
             (uuid.UUID(int=1), decimal.Decimal('-12345.6780'),
              Jsonb({'a': "it's"}), [1, None, 70000],
              [['a', 'b'], ['c"', 'd']])).fetchall()
base.execute('SELECT %b, %b, %b',
             (b'\\0\\1', [datetime.date(1999, 12, 31)],
              ipaddress.ip_address('192.0.2.1'))).fetchall()
'''
# psycopg 3 prepares a query that it makes for the sixth time. It then tells the
# types of the parameters for the last time. None has no type of its own, so the
# server is told no type for it. The last value is sent as text.
PSYCOPG_PREPARED = '''
import datetime
import decimal
import psycopg
base = psycopg.connect('', autocommit=True)
for number in range(8):
    base.execute('SELECT %b, %b, %b, %b, %s',
                 (-70000 - number, decimal.Decimal('1.50'),
                  datetime.date(2026, 1, 2), None, 'x')).fetchall()
base.execute('DEALLOCATE ALL')
# The same name with other types.
for number in 1, True:
    base.pgconn.prepare(b'again', b'SELECT $1',
                        [20 if number is not True else 16])
    base.pgconn.exec_prepared(b'again', [bytes(7) + bytes([1])
                              if number is not True else bytes([1])], [1])
    base.execute('DEALLOCATE again')
base.pgconn.prepare(b'again', b'SELECT $1::int4')
base.pgconn.exec_prepared(b'again', [bytes([0, 0, 0, 5])], [1])
'''
# The statement is prepared before xtrace attaches.
PSYCOPG_BEFORE = '''
import datetime
import psycopg
base = psycopg.connect('', autocommit=True)
def ask(number):
    base.execute('SELECT %b, %b, %s',
                 (number, datetime.date(2026, 1, 2), 'x')).fetchall()
for number in range(7):
    ask(number)
print('ready', flush=True)
input()
ask(300)
ask(-1)
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
SQL = re.compile(r'^\S+ (\S+) "((?:SELECT|INSERT)[^"]*)" (?:(\[.*\]) )?= ')


def shown(way, *command, options=('--bind', '-A', '20')):
    tracer = case.trace('--set', way, *options, command=command,
                        env=matrix.env())
    tracer.wait(0)
    found = map(SQL.match, tracer.lines())
    return [(row[1], row[3]) for row in found if row and '$1' in row[2] or
            row and '?' in row[2]]


def check(rows, what, *command):
    """rows: what is expected of the functions and of the wire. libpq gets a
    NULL as a null pointer, which is printed as nil."""
    for way, wanted in rows.items():
        case.equal(shown(way, *command), wanted, f'{what}, {way}')


def test_mysql():
    execute = 'mysql_stmt_execute'
    ruby = ['/usr/bin/ruby', '-e', MYSQL2]
    check({'sql': [(execute, '[42, "it\'s", NULL, 1.5, '
                    '{2026, 1, 2, 3, 4, 5, 0, 0}]'),
                   (execute, r'[-1, "b\0c\\", NULL, 1099511627776, '
                    '{2026, 1, 2, 0, 0, 0, 0, 0}]')],
           'wire': [('mysql', '[42, "it\'s", NULL, 1.5, 2026-01-02 03:04:05]'),
                    ('mysql', r'[-1, "b\0c\\", NULL, 1099511627776, '
                     '2026-01-02]')]},
          'mysql2', *ruby)
    for way in 'sql', 'wire':
        case.equal({values for _, values in shown(way, *ruby, options=())},
                   {None}, f'{way}: nothing without --bind')
    check({'sql': [(execute, '["7", "seven", NULL]')],
           'wire': [('mysql', '["7", "seven", NULL]')]},
          'DBD::mysql', '/usr/bin/perl', '-e', PERL)
    check({'sql': [('mysql', '[42, "it\'s", NULL, 1.5]'),
                   ('mysql', '[43, "it\'s", NULL, 1.5]'),
                   ('mysql', '["1", "zwei"]')]},
          'PHP', '/usr/bin/php', '-r', PHP)


def test_library():
    """libmariadb reads the bound buffers when a statement is executed."""
    program = case.build('bound_client.c')
    execute = 'mysql_stmt_execute'
    check({'sql': [
        (execute, '[-1, 200, -300, 4000000000, -5000000000, 1.5, 0.1, '
         '{2026, 1, 2, 3, 0, 0, 0, 0}, "text", NULL, NULL]'),
        (execute, '[1, 200, -300, 4000000000, -5000000000, 1.5, 0.1, '
         '{2026, 1, 2, 3, 0, 0, 0, 0}, "te", -294967296, NULL]'),
        (execute, '["", 1]'),
        (execute, '[(in bulk)]'), (execute, '[1, "three"]')],
           'wire': [
        ('mysql', '[-1, 200, -300, 4000000000, -5000000000, 1.5, 0.1, '
         '2026-01-02 03:00:00, "text", NULL, NULL]'),
        ('mysql', '[1, 200, -300, 4000000000, -5000000000, 1.5, 0.1, '
         '2026-01-02 03:00:00, "te", -294967296, NULL]'),
        ('mysql', '[(sent before), 1]'),
        ('mysql', '[(in bulk)]'), ('mysql', '[1, "three"]')]}, 'libmariadb', program)


def test_postgresql():
    params, prepared = 'PQsendQueryParams', 'PQsendQueryPrepared'
    check({'sql': [(params, r'["o\\", "\0\0\0*", nil]'),
                   (prepared, r'["\0\0\0*", "two"]')],
           'wire': [('postgresql', r'["o\\", "\0\0\0*", NULL]'),
                    ('postgresql', r'["\0\0\0*", "two"]')]},
          'pg', '/usr/bin/ruby', '-e', PG)
    # psycopg 3 tells libpq the types of its parameters.
    check({'sql': [(params, '[5, "x"]'),
                   (params, '[-70000, 1099511627776, 1.5, false, "text", '
                    'nil]')]},
          'psycopg 3', case.PYTHON, '-c', PSYCOPG)
    check({'sql': [(params, '[2026-01-02 03:04:05.06, '
                    '2026-01-02 01:04:05.06+00, 2026-01-02, 03:04:05.06, '
                    '03:04:05.06+02, -3 days +00:00:07]'),
                   (params, '[00000000-0000-0000-0000-000000000001, '
                    r'-12345.6780, "{\"a\": \"it' r"'s\"}" '", [1, NULL, 70000], '
                    r'[["a", "b"], ["c\"", "d"]]]'),
                   (params, r'["\0\001", [1999-12-31], 192.0.2.1]')]},
          'psycopg 3, types', case.PYTHON, '-c', PSYCOPG_TYPES)
    check({'sql': [(params if number < 5 else prepared,
                    f'[{-70000 - number}, 1.50, 2026-01-02, nil, "x"]')
                   for number in range(8)] +
                  [('PQexecPrepared', '[1]'), ('PQexecPrepared', '[true]'),
                   ('PQexecPrepared', r'["\0\0\0\005"]')]},
          'psycopg 3, prepared', case.PYTHON, '-c', PSYCOPG_PREPARED)
    # On the connection, the types are those of Parse, or the server tells them.
    check({'wire': [('postgresql', '[5, "x"]'),
                    ('postgresql', '[-70000, 1099511627776, 1.5, false, "text", '
                     'NULL]')]},
          'psycopg 3', case.PYTHON, '-c', PSYCOPG)
    check({'wire': [('postgresql',
                     f'[{-70000 - number}, 1.50, 2026-01-02, NULL, "x"]')
                    for number in range(8)] +
                   [('postgresql', '[1]'), ('postgresql', '[true]'),
                    ('postgresql', r'["\0\0\0\005"]')]},
          'psycopg 3, prepared', case.PYTHON, '-c', PSYCOPG_PREPARED)
    check({'sql': [('postgresql', '[42, "it' r"'s" '", NULL]')]},
          'asyncpg', case.PYTHON, '-c', ASYNCPG)


def test_attached():
    """psycopg 3 has the types of a statement prepared before the attach."""
    client = case.start(case.PYTHON, '-c', PSYCOPG_BEFORE, env=matrix.env())
    client.wait_for('ready')
    tracer = case.attach(client, '--sql', '--bind')
    client.say()
    case.finish(client)
    tracer.wait(0)
    lines = [re.search(r'PQsendQueryPrepared ".*" (\[.*\]) = ', line)
             for line in tracer.lines()]
    case.equal([line[1] for line in lines if line],
               [f'[{number}, 2026-01-02, "x"]' for number in (300, -1)],
               f'attached: {tracer.lines()}')


def test_json():
    """In JSON the bound values keep their types."""
    tracer = case.trace('--json', '--sql', '--bind', '-A', '20',
                        command=['/usr/bin/ruby', '-e', MYSQL2],
                        env=matrix.env())
    tracer.wait(0)
    rows = [json.loads(line) for line in tracer.lines()]
    values = [row['arguments'][1] for row in rows
              if row.get('name') == 'mysql_stmt_execute']
    case.equal([values[0]['value'][at] for at in (0, 1, 3)],
               [42, "it's", 1.5], 'bound values as data')
    case.equal(values[0]['name'], 'values', 'their types')


def test_secret():
    """The bound values are also hidden if the functions themselves are traced.
    """
    tracer = case.trace('-F', case.TESTS.parent / 'etc/parts/mysql.conf',
                        '-x', 'mysql_stmt_bind_param+mysql_stmt_execute',
                        command=['/usr/bin/ruby', '-e', MYSQL2],
                        env=matrix.env())
    tracer.wait(0)
    for line in tracer.calls()[:-1]:
        case.true(re.fullmatch(r'mysql_stmt_(bind_param|execute)\(0x[0-9a-f]+'
                               r'(, 0x[0-9a-f]+)?\) += 0', line), line)


def test():
    test_mysql()
    test_library()
    test_postgresql()
    test_attached()
    test_json()
    test_secret()


case.main(test)
