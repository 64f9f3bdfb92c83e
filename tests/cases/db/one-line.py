#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""One query is one line, with its text and its time, whatever other threads
do meanwhile: calls of libmariadb and libpq, queries in two halves, and queries
that are read from a connection.

A query that runs for longer than --in-flight is announced once, in a line of
its own, and has its whole line when it ends. A query that runs when xtrace
leaves is printed with its time so far.

NEEDS: mariadb postgresql
TIMEOUT: 60
"""
import re

import case
import cutting
import matrix
from drivers import PYTHON, RUBY
from cutting import MariaDB, PostgreSQL

THREADS = 4
ROUNDS = 5
WHOLE = re.compile(r'\d+ \S+ (\w+) "SELECT (?:SLEEP|pg_sleep)\(0\.0[13]\)" '
                   r'= \w+(?: \(first [^)]*\))? <(\d+\.\d{6})>$')
OPEN = re.compile(r'\d+ \S+ (\w+) "([^"]*)" <(in flight|unfinished) \.\.\.> '
                  r'<(\d+\.\d{6})\+>$')
ENDED = re.compile(r'\d+ \S+ (\w+) "([^"]*)" = .* <(\d+\.\d{6})>$')
DRIVERS = {driver.name: driver for driver in PYTHON + RUBY}


def check_whole(lines):
    for line in lines:
        case.true(OPEN.match(line) or '<unfinished' not in line and
                  '<...' not in line, f'a line is whole: {line}')


def crowd(name):
    """Threads with queries that overlap."""
    driver = DRIVERS[name]
    sleep = matrix.SLEEP[driver.base]
    path = case.FOLDER / f'{name}.queries'
    path.write_text(f'{ROUNDS}\tSELECT {sleep}(0.03)\n'
                    f'{ROUNDS}\tSELECT {sleep}(0.01)\n')
    tracer = case.trace('--sql', '--pid', 'always', env=matrix.env(),
                        command=driver.command(path, str(THREADS)))
    tracer.child.wait_for('ready')
    tracer.child.say()
    tracer.wait(0)
    lines = [line for line in tracer.lines() if 'sleep(' in line.lower()]
    check_whole(lines)
    case.equal(len([line for line in lines if WHOLE.match(line)]),
               2 * THREADS * ROUNDS, f'{name}: queries with text and time:\n' +
               '\n'.join(lines))


class Sleeper:
    """A client whose query runs until the server is told to end the query."""
    count = 0

    def __init__(self, server, name, *options):
        self.server = server
        self.name = name
        Sleeper.count += 1
        # Other cases ask the same server, so the text of this query is unique.
        self.sql = server.sleep(f"'one line {Sleeper.count}'")
        path = case.FOLDER / f'{name}.{Sleeper.count}'
        path.write_text(f'1\t{self.sql}\n1\tSELECT 2\n')
        self.client = case.start(*DRIVERS[name].command(path),
                                 env=matrix.env())
        self.client.wait_for('ready')
        self.tracer = case.attach(self.client, '--sql', '-s', '200', *options)
        self.client.say()

    def number(self):
        """The server's number of the connection that executes the query."""
        quoted = self.sql.replace("'", "''")
        return case.until(lambda: self.server.busy(quoted),
                          f'{self.sql} runs')

    def open(self, how):
        return [found for found in map(OPEN.match, self.tracer.lines())
                if found and found[2] == self.sql and found[3] == how]

    def end(self):
        if self.server is PostgreSQL:
            self.server.ask(f'SELECT pg_cancel_backend({self.number()})')
        else:
            self.server.ask(f'KILL QUERY {self.number()}')
        case.finish(self.client)


def announces(server, name):
    sleeper = Sleeper(server, name, '--in-flight', '200ms')
    case.until(lambda: sleeper.open('in flight'),
               f'{name}: the query is announced')
    sleeper.end()
    sleeper.tracer.wait(0)
    lines = sleeper.tracer.lines()
    check_whole(lines)
    announced = sleeper.open('in flight')
    case.equal(len(announced), 1, f'{name}: announcements')
    ended = [found for found in map(ENDED.match, lines)
             if found and found[2] == sleeper.sql]
    case.equal(len(ended), 1, f'{name}: lines of the whole query:\n' +
               '\n'.join(lines))
    case.true(0.2 <= float(announced[0][4]) <= float(ended[0][3]),
              f'{name}: {announced[0][0]}, then {ended[0][0]}')


def leaves(server, name):
    sleeper = Sleeper(server, name)
    sleeper.number()
    sleeper.tracer.leave()
    still = sleeper.open('unfinished')
    case.equal(len(still), 1, f'{name}: the query in flight at the end:\n' +
               '\n'.join(sleeper.tracer.lines()))
    case.true(float(still[0][4]) >= cutting.WORK, f'{name}: {still[0][0]}')
    check_whole(sleeper.tracer.lines())
    sleeper.end()


def test():
    for name in 'mysqldb', 'psycopg2', 'mysql2-prepared':
        crowd(name)
    # With these drivers, a query is a call of one function; or two calls, which
    # send it and receive the answer; or it is read from the connection.
    for server, name in ((MariaDB, 'mysqldb'), (PostgreSQL, 'psycopg3'),
                         (MariaDB, 'pymysql')):
        announces(server, name)
        leaves(server, name)


case.main(test)
