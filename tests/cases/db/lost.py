#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries that are lost, with --sql: the server ends the connection while it
works on the query, or the client waits no longer. Each has one line, with its
time and an error, whichever way the driver's queries are seen.

NEEDS: mariadb postgresql
TIMEOUT: 60
"""
import re

import case
import cutting
import matrix
from drivers import PYTHON, RUBY
from cutting import MariaDB, PostgreSQL

DRIVERS = {driver.name: driver for driver in PYTHON + RUBY}
LINE = re.compile(r'(?:\d+ )?\S+ (\w+) "([^"]*)" = (.*) <(\d+\.\d{6})>$')
END = {PostgreSQL: 'SELECT pg_terminate_backend({})', MariaDB: 'KILL {}'}
SECONDS = 1
MYSQLI = '''
mysqli_report(MYSQLI_REPORT_OFF);
$base = mysqli_init();
$base->options(MYSQLI_OPT_READ_TIMEOUT, %d);
$base->real_connect(null, 'root', '', 'xtrace', 0, getenv('MARIADB_SOCKET'));
echo $base->query($argv[1]) ? "answered\\n" : "timed out\\n";
''' % SECONDS


def check(what, tracer, sql, least):
    found = [row for row in map(LINE.match, tracer.lines())
             if row and row[2] == sql]
    case.equal(len(found), 1,
               f'{what}: lines of {sql} in\n' + '\n'.join(tracer.lines()))
    case.true(' ERROR ' in found[0][3], f'{what} has an error: {found[0][0]}')
    case.true(float(found[0][4]) >= least, f'{what} took {found[0][0]}')


def killed(server, name):
    sql = server.sleep(f"'lost {name}'")
    path = case.FOLDER / f'{name}.queries'
    path.write_text(f'1\t{sql}\n')
    tracer = case.trace('--sql', '-s', '200', env=matrix.env(),
                        command=DRIVERS[name].command(path))
    tracer.child.wait_for('ready')
    tracer.child.say()
    quoted = sql.replace("'", "''")
    number = case.until(lambda: server.busy(quoted), f'{sql} runs')
    server.ask(END[server].format(number))
    tracer.wait(0)
    check(name, tracer, sql, cutting.WORK)


def timed_out():
    sql = MariaDB.sleep("'lost mysqli'")
    tracer = case.trace('--sql', '-s', '200', env=matrix.env(),
                        command=['/usr/bin/php', '-r', MYSQLI, sql])
    tracer.wait(0)
    case.equal(tracer.child.out.strip(), 'timed out', 'mysqli')
    check('mysqli', tracer, sql, cutting.WORK)


def test():
    for name in 'psycopg3', 'asyncpg':
        killed(PostgreSQL, name)
    for name in 'pymysql', 'mysql2':
        killed(MariaDB, name)
    timed_out()


case.main(test)
