#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A program hangs in a query when xtrace attaches. The query is shown at once,
with its text, and again when it ends or xtrace leaves, with its time since the
attach. With most of these drivers no function that has the query is in flight:
some drivers send and receive with functions of the C library, others send with a
function that has returned. With three drivers such a function is in flight, but
only the script knows the query's text.

NEEDS: mariadb postgresql
TIMEOUT: 120
"""
import re

import case
import matrix
from cutting import MariaDB, PostgreSQL
from drivers import PERL, PHP, PYTHON, RUBY

DRIVERS = {driver.name: driver for driver in PYTHON + RUBY + PHP + PERL}
OPEN = re.compile(r'(?:\d+ )?\S+ (\w+) "([^"]*)"[ ?]* <in flight \.\.\.>$')
ENDED = re.compile(r'(?:\d+ )?\S+ (\w+) "([^"]*)"[ ?]* = (.*) '
                   r'<(\d+\.\d{6})(\+?)>$')
LEFT = re.compile(r'(?:\d+ )?\S+ (\w+) "([^"]*)"[ ?]* <unfinished \.\.\.> '
                  r'<(\d+\.\d{6})\+>$')
AFTER = 'SELECT 2'
CANCEL = {PostgreSQL: 'SELECT pg_cancel_backend({})', MariaDB: 'KILL QUERY {}'}
# Where a driver's query is seen: the protocol, or the function in flight.
SEEN = {'pymysql': 'mysql', 'psycopg3': 'postgresql', 'pg8000': 'postgresql',
        'mysql2': 'mysql', 'pg-exec': 'postgresql', 'mysqli': 'mysql',
        'pdo-mysql': 'mysql', 'pg-sync': 'PQexec',
        'pdo-pgsql-emulated': 'PQexec', 'dbd-mysql': 'mysql_real_query'}


class Hanging:
    """A client that hangs in a query, and an xtrace that has attached since."""

    def __init__(self, name, mark, *options):
        driver = DRIVERS[name]
        self.name = name
        self.server = MariaDB if driver.base == 'mysql' else PostgreSQL
        self.sql = self.server.sleep(f"'awaited {name} {mark}'")
        path = case.FOLDER / f'{name}.{mark}'
        path.write_text(f'1\tSELECT 1\n1\t{self.sql}\n1\t{AFTER}\n')
        self.client = case.start(*driver.command(path), env=matrix.env())
        self.client.wait_for('ready')
        self.client.say()
        quoted = self.sql.replace("'", "''")
        self.number = case.until(lambda: self.server.busy(quoted),
                                 f'{name} hangs')
        self.tracer = case.attach(self.client, '--sql', '-s', '200',
                                  *options)
        case.until(lambda: self.found(OPEN), f'{name} is shown to hang')

    def found(self, form):
        return [row for row in map(form.match, self.tracer.lines())
                if row and row[2] == self.sql]

    def cancel(self):
        self.server.ask(CANCEL[self.server].format(self.number))

    def check(self, rows, what):
        text = '\n'.join(self.tracer.lines())
        case.equal([row[1] for row in rows], [SEEN[self.name]],
                   f'{self.name}: {what} in\n{text}')

    def finish(self):
        case.finish(self.client)
        told = [row.split('\t')[2] for row in self.client.out.splitlines()
                if row.startswith('query\t')]
        case.equal((told[0], told[2]), ('ok', 'ok'),
                   f'{self.name}: what the client got')


def ends(name):
    one = Hanging(name, 'ends')
    one.cancel()
    one.finish()
    one.tracer.wait(0)
    one.check(one.found(OPEN), 'lines that it hangs')
    rows = one.found(ENDED)
    one.check(rows, 'lines of its end')
    case.equal(rows[0][5], '+', f'{name}: {rows[0][0]} is since the attach')
    # In DBD::mysql the error comes with the rows, after mysql_real_query().
    if name != 'dbd-mysql':
        case.true(' ERROR ' in rows[0][3], f'{name}: error in {rows[0][0]}')
    after = [row for row in map(ENDED.match, one.tracer.lines())
             if row and row[2] == AFTER]
    case.equal([row[5] for row in after], [''], f'{name}: the query after it')


def leaves(name):
    one = Hanging(name, 'left')
    one.tracer.leave()
    one.check(one.found(LEFT), 'lines at the end')
    one.cancel()
    one.finish()


def brief(name):
    """A query that is shown in flight gets an end line, despite --min-time."""
    one = Hanging(name, 'brief', '--min-time', '100s')
    one.cancel()
    one.finish()
    one.tracer.wait(0)
    one.check(one.found(ENDED), 'lines of its end')
    case.true(not any(AFTER in line for line in one.tracer.lines()),
              f'{name}: brief queries after it')


def test():
    brief('pymysql')
    for name in SEEN:
        ends(name)
    for name in 'pymysql', 'psycopg3', 'mysql2', 'mysqli':
        leaves(name)


case.main(test)
