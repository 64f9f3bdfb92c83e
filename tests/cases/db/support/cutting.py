# SPDX-License-Identifier: GPL-2.0-or-later
"""The cases in which a connection to a database ends: cut*.py.

A client (clients/README.md) runs queries under xtrace, which writes every kind
of output in the same run. Whatever ends the connection, no output has a time
that is below zero or longer than the run, and for the query that was cut

 - the trace says what the server said, or how the connection ended;
 - its time is not longer than the client measured around the call, and not
   shorter than the time for which the server was seen to work on it.
"""
import json
import os
import re
import subprocess
import time

import case
import matrix

OPTIONS = ['--set', 'wire', '-tt', '-T', '-s', '200']
SHOWN = re.compile(r'<(\d+\.\d{6})\+?>$', re.M)
LINE = re.compile(r'\d\d:\d\d:\d\d\.\d{6} (?P<name>mysql|postgresql) '
                  r'"(?P<text>[^"]*)" '
                  r'(?:= (?P<end>.*) <(?P<took>\d+\.\d{6})>|'
                  r'<unfinished \.\.\.> <(\d+\.\d{6})\+>)$')
CLOSED = {'message': 'the server closed the connection'}
RESET = {'message': 'the connection was reset'}
# Servers differ in whether they send an error when they end a connection.
ANY = {}
# For this many seconds the server must have worked on a query before a case
# ends the query or its connection.
WORK = 0.05
ROUNDING = 0.000002


class Client:
    """A driver's client that xtrace traces. It is given one query at a time.
    """
    count = 0

    def __init__(self, driver, env=None, options=OPTIONS):
        Client.count += 1
        self.driver = driver
        self.began = time.monotonic()
        self.files = {name: case.FOLDER / f'{driver}.{name}'
                      for name in ('json', 'summary', 'chrome')}
        fifo = case.FOLDER / f'{driver}.{Client.count}'
        os.mkfifo(fifo)
        self.asked = os.fdopen(os.open(fifo, os.O_RDWR), 'w')
        self.tracer = case.trace(
            *options, f'--json={self.files["json"]}',
            f'--summary={self.files["summary"]}',
            f'--format=chrome:{self.files["chrome"]}',
            command=[case.PYTHON, case.SUPPORT / 'clients' / 'client.py', driver,
                     fifo], env={**matrix.env(), **(env or {})})
        self.tracer.child.wait_for('ready')
        self.tracer.child.say()

    def ask(self, sql):
        print(f'1\t{sql}', file=self.asked, flush=True)

    def answer(self):
        """What the client prints for a query: seconds, and "ok" or "error"."""
        words = self.tracer.child.wait_for('query\t').split('\t')
        return float(words[1]), words[2]

    def end(self):
        """Ends the client, and returns the contents of the outputs."""
        self.asked.close()
        self.tracer.wait(0)
        return Trace(self)


class Trace:
    def __init__(self, client):
        self.client = client
        self.length = time.monotonic() - client.began
        self.lines = client.tracer.lines()
        text = {name: path.read_text() for name, path in client.files.items()}
        self.rows = [row for row in map(json.loads, text['json'].splitlines())
                     if row['event'] == 'call']
        self.times = {
            'text': [float(took) for took in
                     SHOWN.findall('\n'.join(self.lines))],
            'summary': [float(took) for took in SHOWN.findall(
                text['summary'])],
            'json': [row['duration'] for row in self.rows],
            'chrome': [row['dur'] / 1e6 for row in json.loads(text['chrome'])
                       if 'dur' in row]}

    def check_times(self):
        for name, times in self.times.items():
            for took in times:
                case.true(0 <= took <= self.length,
                          f'{self.client.driver}: {name} has a time of {took} '
                          f's in a run of {self.length} s')

    def of(self, sql):
        """The query's line in the trace, and its JSON object; None if there is
        none."""
        lines = [found for found in map(LINE.match, self.lines)
                 if found and found['text'] == sql]
        rows = [row for row in self.rows
                if row['arguments'][0]['value'] == sql]
        case.equal(len(lines), len(rows), f'lines and rows of {sql}')
        case.true(len(rows) <= 1, f'{sql} is in the trace once')
        return (lines[0], rows[0]) if rows else (None, None)

    def check(self, sql, took, failure, worked=0):
        """failure: a dict of the code, state or message that the line and the
        JSON object must have.
        worked: the seconds for which the server was seen to work on the query.
        """
        what = f'{self.client.driver}: {sql}'
        line, row = self.of(sql)
        case.true(row, f'{what} is in the trace:\n' + '\n'.join(self.lines))
        case.equal(row['end'], 'returned', what)
        case.true(worked <= row['duration'] <= took + ROUNDING,
                  f'{what} took {row["duration"]} s, not from {worked} to '
                  f'{took} s')
        case.true('ERROR' in (line['end'] or ''),
                  f'{what}: its line has an error: {line[0]}')
        case.true(abs(float(line['took']) - row['duration']) <= ROUNDING,
                  f'{what}: line and row agree')
        for name, value in failure.items():
            case.equal(row['failure'].get(name), value, f'{what}: {name}')


def run(command, text):
    done = subprocess.run([*command, text], env={**matrix.env(), 'PATH':
                          '/usr/bin:/bin'}, capture_output=True, text=True)
    if done.returncode:
        case.fail(f'{text}: {done.stderr}')
    return done.stdout.strip()


def postgresql(sql):
    return run(['psql', '-XAtc'], sql)


def mariadb(sql):
    return run(['mariadb', '--no-defaults', '--user=root', '-N', '--socket',
                matrix.env()['MARIADB_SOCKET'], '-e'], sql)


class PostgreSQL:
    ask = staticmethod(postgresql)
    drivers = 'psycopg2', 'psycopg3', 'pg8000', 'asyncpg'

    @staticmethod
    def sleep(mark):
        return f'SELECT pg_sleep(60), {mark}'

    @staticmethod
    def busy(sql):
        """The pid of the server's process that has worked on the query for a
        while, or ''."""
        return postgresql(
            'SELECT pid FROM pg_stat_activity WHERE state = \'active\' AND '
            f'query = \'{sql}\' AND clock_timestamp() - query_start > '
            f'interval \'{WORK} s\'')

    @staticmethod
    def idle(sql):
        return postgresql('SELECT pid FROM pg_stat_activity WHERE '
                          f'state = \'idle\' AND query = \'{sql}\'')

    @staticmethod
    def gone(number):
        return postgresql('SELECT count(*) FROM pg_stat_activity WHERE '
                          f'pid = {number}') == '0'


class MariaDB:
    ask = staticmethod(mariadb)
    drivers = 'pymysql', 'mysqldb'

    @staticmethod
    def sleep(mark):
        return f'SELECT SLEEP(60), {mark}'

    @staticmethod
    def busy(sql):
        return mariadb('SELECT id FROM information_schema.processlist WHERE '
                       f'info = \'{sql}\' AND time_ms > {1000 * WORK}')

    @staticmethod
    def idle(sql):
        """The id of the connection that holds the lock which the statement
        names, or ''."""
        number = mariadb(sql.replace('GET_LOCK(', 'IS_USED_LOCK(')
                         .replace(', 0)', ')'))
        return '' if number == 'NULL' else number

    @staticmethod
    def gone(number):
        return mariadb('SELECT COUNT(*) FROM information_schema.processlist '
                       f'WHERE id = {number}') == '0'
