#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Records what real clients and servers say to each other.

record.py [NAME...] writes NAME.conversation beside itself for each of the
conversations below (or all). Servers are those of tests/lib/servers.py; a
proxy between them and the client writes down each piece as it comes:

    # TEXT        a comment: what the conversation shows
    = TEXT        a query that the client asks, in order: KIND OUTCOME ROWS SQL
    c HEX         bytes from the client, one piece
    s HEX         bytes from the server

The rows marked = are not recorded: they are what the client below does, as
its author knows it. KIND is text, prepare or execute; OUTCOME done, failed,
skipped or lost; ROWS a number or -.

record.py --corpus makes inputs of tests/fuzz/mysql_fuzz.c and postgres_fuzz.c
of what is recorded.
"""
import os
import pathlib
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[2] / 'lib'))
from servers import Servers                                 # noqa: E402

TALKS = {}


def talk(name, server, command, program, asked):
    TALKS[name] = (server, command, program, asked)


PYTHON = ['/usr/bin/python3', '-c']
PYMYSQL = '''
import os, pymysql
from pymysql.constants import CLIENT
'''
talk('mysql-pymysql', 'mariadb', PYTHON, PYMYSQL + '''
base = pymysql.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
    db='xtrace', client_flag=CLIENT.MULTI_STATEMENTS)
cursor = base.cursor()
for sql in ("SELECT 1", "SELECT 'a' UNION SELECT 'bb'", "SELEKT 1",
        "CREATE TEMPORARY TABLE t (a INT, b TEXT)",
        "INSERT INTO t VALUES (1, 'x'), (2, NULL), (3, '')",
        "UPDATE t SET b = 'y' WHERE a > 1", "SELECT * FROM t",
        "SELECT * FROM t WHERE a > 10", "SELECT 1; SELECT 2, 3; DO 4",
        "SELECT 1; SELEKT 2", "", "SELECT '\\u00e4\\n\\t'"):
    try:
        cursor.execute(sql)
        while cursor.nextset():
            pass
    except pymysql.err.MySQLError:
        pass
base.ping()
base.commit()
base.close()
''', '''
text done 0 SET AUTOCOMMIT = 0
text done 1 SELECT 1
text done 2 SELECT 'a' UNION SELECT 'bb'
text failed - SELEKT 1
text done 0 CREATE TEMPORARY TABLE t (a INT, b TEXT)
text done 3 INSERT INTO t VALUES (1, 'x'), (2, NULL), (3, '')
text done 2 UPDATE t SET b = 'y' WHERE a > 1
text done 3 SELECT * FROM t
text done 0 SELECT * FROM t WHERE a > 10
text done 2 SELECT 1; SELECT 2, 3; DO 4
text failed - SELECT 1; SELEKT 2
text failed -
text done 1 SELECT '\u00e4\\n\\t'
text done 0 COMMIT
''')

talk('mysql-pymysql-rows', 'mariadb', PYTHON, PYMYSQL + '''
base = pymysql.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
    db='xtrace', autocommit=True, local_infile=True)
cursor = base.cursor()
cursor.execute("SET GLOBAL local_infile = 1")
cursor.execute("CREATE TEMPORARY TABLE f (a INT)")
with open('rows', 'w') as file:
    file.write('1\\n2\\n3\\n')
cursor.execute("LOAD DATA LOCAL INFILE 'rows' INTO TABLE f")
cursor.execute("SELECT a FROM f")
cursor.execute("CREATE OR REPLACE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END")
cursor.callproc('p')
while cursor.nextset():
    pass
cursor.execute("SELECT REPEAT('x', 300), NULL FROM f")
cursor.execute("SELECT '" + 'y' * 3000 + "'")
cursor.execute("DROP PROCEDURE p")
''', '''
text done 0 SET GLOBAL local_infile = 1
text done 0 CREATE TEMPORARY TABLE f (a INT)
text done 3 LOAD DATA LOCAL INFILE 'rows' INTO TABLE f
text done 3 SELECT a FROM f
text done 0 CREATE OR REPLACE PROCEDURE p() BEGIN SELECT 1; SELECT 2; END
text done 2 CALL p()
text done 3 SELECT REPEAT('x', 300), NULL FROM f
text done 1 SELECT '%s'
text done 0 DROP PROCEDURE p
''' % ('y' * 3000))

talk('mysql-killed', 'mariadb', PYTHON, PYMYSQL + '''
base = pymysql.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
    db='xtrace', autocommit=True)
cursor = base.cursor()
cursor.execute('SELECT 1')
try:
    cursor.execute('KILL CONNECTION_ID()')
except pymysql.err.MySQLError:
    pass
''', '''
text done 1 SELECT 1
text failed - KILL CONNECTION_ID()
''')

talk('mysql-ruby', 'mariadb', ['/usr/bin/ruby', '-e'], '''
require 'mysql2'
base = Mysql2::Client.new(socket: ENV['MARIADB_SOCKET'], username: 'root',
    database: 'xtrace', encoding: 'utf8mb4')
base.query('SELECT 5').to_a
one = base.prepare('SELECT ?, 2')
one.execute(1).to_a
one.execute('zwei').to_a
two = base.prepare('DO ?')
two.execute(3)
one.close
begin
  base.prepare('SELEKT ?')
rescue Mysql2::Error
end
three = base.prepare('SELECT 1 / (SELECT ? UNION SELECT 2)')
begin
  three.execute(7).to_a
rescue Mysql2::Error
end
base.close
''', '''
text done 1 SELECT 5
prepare done - SELECT ?, 2
execute done 1 SELECT ?, 2
execute done 1 SELECT ?, 2
prepare done - DO ?
execute done 0 DO ?
prepare failed - SELEKT ?
prepare done - SELECT 1 / (SELECT ? UNION SELECT 2)
execute failed - SELECT 1 / (SELECT ? UNION SELECT 2)
''')

talk('mysql-php', 'mariadb', ['/usr/bin/php', '-r'], '''
mysqli_report(MYSQLI_REPORT_OFF);
$base = mysqli_init();
$base->options(MYSQLI_OPT_LOCAL_INFILE, 1);
$base->real_connect(null, 'root', '', 'xtrace', 0,
    getenv('MARIADB_SOCKET'));
$base->query('CREATE TEMPORARY TABLE t (a INT, b LONGTEXT)');
$put = $base->prepare('INSERT INTO t VALUES (?, ?)');
$put->bind_param('ib', $a, $b);
$a = 1;
$b = null;
$put->send_long_data(1, 'long ');
$put->send_long_data(1, 'text');
$put->execute();
$a = 2;
$put->execute();
$read = $base->prepare('SELECT a FROM t');
$read->attr_set(MYSQLI_STMT_ATTR_CURSOR_TYPE, MYSQLI_CURSOR_TYPE_READ_ONLY);
$read->execute();
$read->bind_result($x);
while ($read->fetch());
$read->close();
$base->multi_query('SELECT 1; SELECT a FROM t');
do {
    if ($all = $base->store_result())
        $all->free();
} while ($base->more_results() && $base->next_result());
$base->query('SELECT nothing');
$base->select_db('xtrace');
$base->change_user('root', '', 'xtrace');
$base->query('SELECT 8', MYSQLI_ASYNC);
$base->reap_async_query();
$base->stat();
$base->close();
''', '''
text done 0 CREATE TEMPORARY TABLE t (a INT, b LONGTEXT)
prepare done - INSERT INTO t VALUES (?, ?)
execute done 1 INSERT INTO t VALUES (?, ?)
execute done 1 INSERT INTO t VALUES (?, ?)
prepare done - SELECT a FROM t
execute done - SELECT a FROM t
text done 3 SELECT 1; SELECT a FROM t
text failed - SELECT nothing
text done 1 SELECT 8
''')

talk('mysql-perl', 'mariadb', ['/usr/bin/perl', '-e'], '''
use DBI;
my $base = DBI->connect(
    "DBI:MariaDB:mariadb_socket=$ENV{MARIADB_SOCKET};database=xtrace",
    'root', '', { mariadb_server_prepare => 1, PrintError => 0 });
$base->do('SELECT 1');
my $ask = $base->prepare('SELECT ? UNION SELECT 2');
$ask->execute($_), $ask->fetchall_arrayref for 1, 3;
$base->do('DO ?', undef, 5);
$base->do('SELECT * FROM nothing');
''', '''
text done 0 SET NAMES 'utf8mb4'
text done 0 SET character_set_server = 'utf8mb4'
text done 0 SET collation_connection = 'utf8mb4_unicode_ci'
text done 0 SET collation_server = 'utf8mb4_unicode_ci'
prepare done - SELECT 1
execute done 1 SELECT 1
prepare done - SELECT ? UNION SELECT 2
execute done 2 SELECT ? UNION SELECT 2
execute done 2 SELECT ? UNION SELECT 2
prepare done - DO ?
execute done 0 DO ?
prepare failed - SELECT * FROM nothing
''')

talk('mysql-compressed', 'mariadb', ['/bin/sh', '-c'], '''
mariadb --no-defaults --compress --user=root --socket="$MARIADB_SOCKET" \\
    -e 'SELECT 1'
''', '''
notice compressed
''')

PSYCOPG2 = '''
import io, psycopg2
base = psycopg2.connect('')
base.autocommit = True
cursor = base.cursor()
'''
talk('postgres-psycopg2', 'postgresql', PYTHON, PSYCOPG2 + '''
for sql in ("SELECT 1", "SELECT 'a' UNION SELECT 'bb'", "SELEKT 1",
        "CREATE TEMPORARY TABLE t (a INT, b TEXT)",
        "INSERT INTO t VALUES (1, 'x'), (2, NULL), (3, '')",
        "UPDATE t SET b = 'y' WHERE a > 1", "SELECT * FROM t",
        "SELECT 1; SELECT a FROM t", "SELECT 1; SELECT 1/0", "DO $$ BEGIN "
        "RAISE NOTICE 'x'; END $$", "-- nothing", "SELECT '\\u00e4\\n\\t'"):
    try:
        cursor.execute(sql)
    except psycopg2.Error:
        pass
cursor.copy_expert('COPY t FROM STDIN', io.StringIO('7\\tz\\n8\\tz\\n'))
cursor.copy_expert('COPY t TO STDOUT', io.StringIO())
try:
    cursor.copy_expert('COPY t FROM STDIN', io.StringIO('x\\n'))
except psycopg2.Error:
    pass
cursor.execute('SELECT 9')
base.close()
''', '''
text done 1 SELECT 1
text done 2 SELECT 'a' UNION SELECT 'bb'
text failed - SELEKT 1
text done - CREATE TEMPORARY TABLE t (a INT, b TEXT)
text done 3 INSERT INTO t VALUES (1, 'x'), (2, NULL), (3, '')
text done 2 UPDATE t SET b = 'y' WHERE a > 1
text done 3 SELECT * FROM t
text done 4 SELECT 1; SELECT a FROM t
text failed - SELECT 1; SELECT 1/0
text done - DO $$ BEGIN RAISE NOTICE 'x'; END $$
text done - -- nothing
text done 1 SELECT '\u00e4\\n\\t'
text done 2 COPY t FROM STDIN
text done 5 COPY t TO STDOUT
text failed - COPY t FROM STDIN
text done 1 SELECT 9
''')

talk('postgres-ended', 'postgresql', PYTHON, PSYCOPG2 + '''
cursor.execute('SELECT 1')
try:
    cursor.execute('SELECT pg_terminate_backend(pg_backend_pid())')
except psycopg2.Error:
    pass
''', '''
text done 1 SELECT 1
text failed - SELECT pg_terminate_backend(pg_backend_pid())
''')

talk('postgres-psycopg3', 'postgresql', PYTHON, '''
import psycopg
base = psycopg.connect('', autocommit=True)
cursor = base.cursor()
cursor.execute('SELECT 1')
cursor.execute('SELECT %s::int', [2])
for i in 3, 4:
    cursor.execute('SELECT %s::int + 1', [i], prepare=True)
for sql in 'SELEKT %s', 'SELECT 1 / %s::int':
    try:
        cursor.execute(sql, [0])
    except psycopg.Error:
        pass
cursor.execute('CREATE TEMPORARY TABLE t (a INT UNIQUE DEFERRABLE '
               'INITIALLY DEFERRED)')
cursor.execute('INSERT INTO t VALUES (%s), (%s)', [1, 2])
try:
    cursor.execute('INSERT INTO t VALUES (%s)', [1])
except psycopg.Error:
    pass
with cursor.copy('COPY t FROM STDIN') as copy:
    copy.write_row([5])
with cursor.copy('COPY (SELECT 1 WHERE 1 = %s) TO STDOUT', [1]) as copy:
    list(copy)
try:
    with base.pipeline():
        for i in 6, 7:
            cursor.execute('SELECT %s::int', [i])
        cursor.execute('SELECT 1 / %s::int', [0])
        cursor.execute('SELECT %s::int', [9])
except psycopg.Error:
    pass
cursor.execute('SELECT 10')
base.close()
''', '''
text done 1 SELECT 1
prepare done - SELECT $1::int
execute done 1 SELECT $1::int
prepare done - SELECT $1::int + 1
execute done 1 SELECT $1::int + 1
execute done 1 SELECT $1::int + 1
prepare skipped - SELEKT $1
execute failed - SELEKT $1
prepare done - SELECT 1 / $1::int
execute failed - SELECT 1 / $1::int
text done - CREATE TEMPORARY TABLE t (a INT UNIQUE DEFERRABLE INITIALLY DEFERRED)
prepare done - INSERT INTO t VALUES ($1), ($2)
execute done 2 INSERT INTO t VALUES ($1), ($2)
prepare done - INSERT INTO t VALUES ($1)
execute failed - INSERT INTO t VALUES ($1)
text done 1 COPY t FROM STDIN
text done 1 COPY (SELECT 1 WHERE 1 = 1) TO STDOUT
prepare done - SELECT $1::int
execute done 1 SELECT $1::int
prepare done - SELECT $1::int
execute done 1 SELECT $1::int
prepare done - SELECT 1 / $1::int
execute failed - SELECT 1 / $1::int
prepare skipped - SELECT $1::int
execute skipped - SELECT $1::int
text done 1 SELECT 10
''')

talk('postgres-asyncpg', 'postgresql', PYTHON, '''
import asyncio, asyncpg, os
async def main():
    base = await asyncpg.connect(host=os.environ['PGHOST'],
        user=os.environ['PGUSER'], database='postgres')
    await base.execute('SELECT 1; SELECT 2')
    for i in 3, 4:
        await base.fetch('SELECT $1::int', i)
    for sql, value in ('SELEKT $1', 1), ('SELECT 1 / $1::int', 0):
        try:
            await base.fetch(sql, value)
        except asyncpg.PostgresError:
            pass
    await base.execute('CREATE TEMPORARY TABLE t (a INT)')
    await base.executemany('INSERT INTO t VALUES ($1)', [(1,), (2,)])
    await base.copy_records_to_table('t', records=[(3,), (4,), (5,)])
    statement = await base.prepare('SELECT a FROM t')
    async with base.transaction():
        async for row in statement.cursor(prefetch=2):
            pass
    await base.fetch('SELECT 9')
    await base.close()
asyncio.run(main())
''', '''
text done 2 SELECT 1; SELECT 2
prepare done - SELECT $1::int
execute done 1 SELECT $1::int
execute done 1 SELECT $1::int
prepare failed - SELEKT $1
prepare done - SELECT 1 / $1::int
execute failed - SELECT 1 / $1::int
text done - CREATE TEMPORARY TABLE t (a INT)
prepare done - INSERT INTO t VALUES ($1)
execute done 1 INSERT INTO t VALUES ($1)
execute done 1 INSERT INTO t VALUES ($1)
prepare done - SELECT * FROM "t" LIMIT 1
text done 3 COPY "t" FROM STDIN (FORMAT binary)
prepare done - SELECT a FROM t
text done - BEGIN;
execute done - SELECT a FROM t
execute done - SELECT a FROM t
execute done 1 SELECT a FROM t
text done - COMMIT;
prepare done - SELECT 9
execute done 1 SELECT 9
''')

talk('postgres-pg8000', 'postgresql', PYTHON, '''
import os, pg8000
base = pg8000.connect('xtrace', database='postgres',
    unix_sock=os.environ['PGHOST'] + '/.s.PGSQL.5432')
base.autocommit = True
cursor = base.cursor()
cursor.execute('SELECT 1')
cursor.execute('SELECT %s', (2,))
cursor.execute('SELECT %s', (3,))
try:
    cursor.execute('SELEKT 1')
except pg8000.Error:
    pass
base.close()
''', '''
prepare done - SELECT 1
execute done 1 SELECT 1
prepare done - SELECT $1
execute done 1 SELECT $1
execute done 1 SELECT $1
prepare failed - SELEKT 1
''')

talk('postgres-ruby', 'postgresql', ['/usr/bin/ruby', '-e'], '''
require 'pg'
base = PG.connect(dbname: 'postgres')
base.exec('SELECT 1')
base.exec_params('SELECT $1::int', [2])
base.prepare('mine', 'SELECT $1::int + 1')
2.times { |i| base.exec_prepared('mine', [i]) }
begin
  base.prepare('bad', 'SELEKT $1')
rescue PG::Error
end
begin
  base.exec_prepared('missing', [])
rescue PG::Error
end
base.exec('DEALLOCATE mine')
base.close
''', '''
text done 1 SELECT 1
prepare done - SELECT $1::int
execute done 1 SELECT $1::int
prepare done - SELECT $1::int + 1
execute done 1 SELECT $1::int + 1
execute done 1 SELECT $1::int + 1
prepare failed - SELEKT $1
execute failed - ?
text done - DEALLOCATE mine
''')


class Proxy(threading.Thread):
    """A proxy for one connection after the other, which writes down each
    piece."""

    def __init__(self, listen, server):
        super().__init__(daemon=True)
        self.server = server
        self.pieces = []
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(listen))
        self.listener.listen()

    def run(self):
        while True:
            try:
                client = self.listener.accept()[0]
            except OSError:
                return
            far = socket.socket(socket.AF_UNIX)
            far.connect(self.server)
            self.pass_on(client, far)

    def pass_on(self, client, far):
        ends = {client: ('c', far), far: ('s', client)}
        while True:
            for end in select.select(list(ends), [], [])[0]:
                letter, other = ends[end]
                data = end.recv(1 << 16)
                if not data:
                    client.close()
                    far.close()
                    return
                self.pieces.append((letter, data))
                other.sendall(data)


def record(name, servers, folder):
    kind, command, program, asked = TALKS[name]
    told = servers.need(kind)
    work = folder / name
    work.mkdir()
    if kind == 'mariadb':
        near, far = work / 's', told['MARIADB_SOCKET']
        env = {'MARIADB_SOCKET': str(near)}
    else:
        near = work / '.s.PGSQL.5432'
        far = f'{told["PGHOST"]}/.s.PGSQL.5432'
        env = {**told, 'PGHOST': str(work)}
    proxy = Proxy(near, far)
    proxy.start()
    subprocess.run([*command, program], cwd=work, check=True, timeout=60,
                   env={'PATH': '/usr/bin:/bin:/usr/sbin', 'LANG': 'C.UTF-8',
                        **env})
    proxy.listener.close()
    rows = [f'# {name}: recorded by record.py']
    rows += ['= ' + row for row in asked.strip('\n').split('\n')]
    rows += [f'{letter} {data.hex()}' for letter, data in proxy.pieces]
    (HERE / f'{name}.conversation').write_text('\n'.join(rows) + '\n')
    print(f'{name}: {len(proxy.pieces)} pieces')


def corpus():
    top = HERE.parents[2] / 'fuzz' / 'corpus'
    for path in sorted(HERE.glob('*.conversation')):
        kind, _, name = path.stem.partition('-')
        out = bytearray()
        for row in path.read_text().splitlines():
            if row[:2] in ('c ', 's '):
                data = bytes.fromhex(row[2:])[:0xffff]
                side = 0x80 if row[0] == 'c' else 0
                out += bytes([side | min(len(data), 0x7f)])
                if len(data) >= 0x7f:
                    out += len(data).to_bytes(2, 'little')
                out += data
        (top / kind).mkdir(parents=True, exist_ok=True)
        (top / kind / name).write_bytes(out)


def main():
    if sys.argv[1:] == ['--corpus']:
        corpus()
        return
    folder = pathlib.Path(tempfile.mkdtemp(prefix='xtrace-record-', dir=os.environ.get('TMPDIR')))
    folder.chmod(0o755)
    servers = Servers(folder / 'servers',
                      HERE.parents[3] / 'build/tests/servers')
    try:
        for name in sys.argv[1:] or TALKS:
            record(name, servers, folder)
    finally:
        servers.stop()
        shutil.rmtree(folder, ignore_errors=True)


main()
