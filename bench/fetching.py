# SPDX-License-Identifier: GPL-2.0-or-later
"""What --sql adds to a result of many rows: the row `fetching`; and to fast
queries if only slow ones are shown: the row `queries`.

Each driver fetches the same rows alone and traced, by turns. It measures the
time itself, from the query to the last row, so xtrace's start does not count.
The servers are started for this, on sockets of their own. Only the stops that
the rows add are counted; they do not depend on the load of the machine.
"""
import os
import pathlib
import sys

from rows import PYTHON, row

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent /
                       'tests' / 'lib'))
import servers                                              # noqa: E402

ROWS = 100000
STEPPED = 2000  # rows, if the client makes a call for each: two stops a row
FEW = 10
INTERPRETERS = {'mysql2': '/usr/bin/ruby', 'DBD::mysql': '/usr/bin/perl'}
HEAD = '''
import os, sys, time
rows = int(sys.argv[1])
'''
TAIL = '''
def fetch():
    cursor = %s
    cursor.execute(sql)
    return len(cursor.fetchall())
fetch()
begun = time.perf_counter()
assert fetch() == rows
print((time.perf_counter() - begun) * 1e9)
'''
MARIADB = HEAD + '''
import %s
driver = %s
base = driver.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                      database='xtrace')
sql = f"SELECT seq, CONCAT('row ', seq) FROM seq_1_to_{rows}"
''' + TAIL
POSTGRES = HEAD + '''
import psycopg2
base = psycopg2.connect('')
sql = f"SELECT i, 'row ' || i FROM generate_series(1, {rows}) AS i"
''' + TAIL
NAMED = POSTGRES % "base.cursor(f'it_{time.time_ns()}')"
PSYCOPG = HEAD + '''
import psycopg
base = psycopg.connect('')
sql = f"SELECT i, 'row ' || i FROM generate_series(1, {rows}) AS i"
def fetch():
    return sum(1 for _ in base.cursor().stream(sql))
fetch()
begun = time.perf_counter()
assert fetch() == rows
print((time.perf_counter() - begun) * 1e9)
'''
PG8000 = HEAD + '''
import pg8000
base = pg8000.connect(user=os.environ['PGUSER'],
                      database=os.environ['PGDATABASE'],
                      unix_sock=os.environ['PGHOST'] + '/.s.PGSQL.5432')
sql = f"SELECT i, 'row ' || i FROM generate_series(1, {rows}) AS i"
''' + TAIL % 'base.cursor()'
MYSQL2 = '''
require 'mysql2'
rows = ARGV[0].to_i
base = Mysql2::Client.new(username: 'root', database: 'xtrace',
                          socket: ENV['MARIADB_SOCKET'])
sql = "SELECT seq, CONCAT('row ', seq) FROM seq_1_to_#{rows}"
fetch = -> { base.query(sql).to_a.size }
fetch.call
begun = Process.clock_gettime(Process::CLOCK_MONOTONIC)
raise unless fetch.call == rows
puts (Process.clock_gettime(Process::CLOCK_MONOTONIC) - begun) * 1e9
'''
DBD_MYSQL = '''
use strict;
use DBI;
use Time::HiRes qw(time);
my $rows = $ARGV[0];
my $base = DBI->connect('dbi:mysql:database=xtrace;mysql_socket=' .
                        $ENV{MARIADB_SOCKET}, 'root');
my $sql = "SELECT seq, CONCAT('row ', seq) FROM seq_1_to_$rows";
sub fetch { scalar @{$base->selectall_arrayref($sql)} }
fetch();
my $begun = time;
die unless fetch() == $rows;
printf "%f\n", (time - $begun) * 1e9;
'''
SQLITE = HEAD + '''
import sqlite3
base = sqlite3.connect(':memory:')
sql = (f"WITH RECURSIVE seq(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM seq "
       f"LIMIT {rows}) SELECT i, 'row ' || i FROM seq")
''' + TAIL
QUERY = '''
cursor = base.cursor()
def queries(count):
    for i in range(count):
        cursor.execute(%s)
        cursor.fetchall()
queries(300)
begun = time.perf_counter()
queries(rows)
print((time.perf_counter() - begun) / rows * 1e9)
'''
QUERIES = 3000
# For each row, sqlite3 and stream() of psycopg 3 call a function of the
# library.
CLIENTS = {
    'MySQLdb, stored': (MARIADB % ('MySQLdb', 'MySQLdb', 'base.cursor()'),
                        1.1),
    'MySQLdb, SSCursor': (MARIADB % (
        'MySQLdb.cursors', 'MySQLdb',
        'base.cursor(MySQLdb.cursors.SSCursor)'),
                          1.1),
    'mysql2': (MYSQL2, 1.1),
    'DBD::mysql': (DBD_MYSQL, 1.1),
    'psycopg2': (POSTGRES % 'base.cursor()', 1.1),
    'psycopg2, server cursor': (NAMED, 1.1),
    'psycopg 3, stream()': (PSYCOPG, None),
    'PyMySQL': (MARIADB % ('pymysql', 'pymysql', 'base.cursor()'), 1.1),
    'pg8000': (PG8000, 1.1),
    'sqlite3': (SQLITE % 'base.cursor()', None),
}


def added(bench, command, rows):
    """The stops that the rows of one query add."""
    few, many = (sum(bench.stats(['--sql'], [*command, count])[1]
                     ['stops'].values()) for count in (FEW, rows))
    return (many - few) / 2  # a client's script makes its query twice


def compare(bench):
    for name, (text, target) in CLIENTS.items():
        script = bench.folder / 'client'
        command = [INTERPRETERS.get(name, PYTHON), script]
        script.write_text(text)
        rows = ROWS if target else STEPPED
        alone = [*command, rows]
        found = bench.rounds({
            'traced': lambda c=alone: bench.figures(
                bench.ours(['--sql'], c))[0],
            'alone': lambda c=alone: bench.figures(c)[0]})
        bench.ratio(found, 'traced', 'alone', target,
                    f'{rows} rows, {name}', scale=1e-6, unit='ms')
        bench.line(added(bench, command, rows), None, f'stops for them, {name}',
                   form='{:.0f}')


def compare_queries(bench):
    """Compares fast queries of a client alone with the same queries if xtrace
    traces them and shows only slow ones."""
    one = '"SELECT %d + 1" % i'
    clients = {
        'MySQLdb': (MARIADB % ('MySQLdb', 'MySQLdb', ''), one),
        'psycopg2': (POSTGRES % '', one),
        'sqlite3': (SQLITE % '', '"SELECT value FROM few WHERE value > ?", '
                    '(i % 10,)'),
    }
    # A query of sqlite3 is twelve calls, and takes some microseconds.
    only = ['--sql', '--min-time', '50ms', '-w', '5']
    for name, (text, query) in clients.items():
        head = text.partition('\ndef fetch')[0]
        if name == 'sqlite3':
            head += ("\nbase.execute('CREATE TABLE few(value)')\n"
                     "base.executemany('INSERT INTO few VALUES(?)', "
                     "[(i,) for i in range(10)])\n")
        script = bench.folder / 'client.py'
        script.write_text(head + QUERY % query)
        alone = [PYTHON, script, QUERIES]
        found = bench.rounds({
            'with agent': lambda c=alone: bench.figures(
                bench.ours([*only, '--engine=agent'], c))[0],
            'with ptrace': lambda c=alone: bench.figures(
                bench.ours([*only, '--engine=ptrace'], c))[0],
            'alone': lambda c=alone: bench.figures(c)[0]})
        bench.ratio(found, 'with agent', 'alone',
                    None if name == 'sqlite3' else 1.03,
                    f'a fast query, only slow ones shown, {name}')
        bench.ratio(found, 'with ptrace', 'alone', None,
                    f'the same with --engine=ptrace, {name}')
        _, stats = bench.stats([*only, '--engine=agent'], alone)
        bench.line(sum(stats['stops'].values()), None,
                   f'stops for {QUERIES} such queries, {name}', form='{:.0f}')


def with_servers(bench, act):
    bench.folder.chmod(0o755)  # PostgreSQL's server runs as another user
    running = servers.Servers(bench.folder / 'servers',
                              bench.folder / 'templates')
    try:
        for name in ('mariadb', 'postgresql'):
            os.environ.update(running.need(name))
        act(bench)
    finally:
        running.stop()


@row
def fetching(bench):
    with_servers(bench, compare)


@row
def queries(bench):
    with_servers(bench, compare_queries)
