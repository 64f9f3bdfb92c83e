#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers that shut down, crash or are killed while a query runs, and one that
refuses a connection because it is about to shut down. See cutting.py.

NEEDS: mariadb postgresql
TIMEOUT: 300
"""
import os
import signal
import subprocess

import case
import cutting
import matrix
import servers
from cutting import Client, MariaDB, PostgreSQL

ENDED = {'state': '57P01', 'message':
         'terminating connection due to administrator command'}
TEMPLATES = case.TESTS.parent / 'build' / 'tests' / 'servers'


class Own:
    """A server for this case alone, while the `with` block runs. The functions
    of cutting.py then use this server."""
    count = 0

    def __init__(self, kind):
        Own.count += 1
        self.server = kind(case.FOLDER / f'own.{Own.count}', TEMPLATES)
        self.shared = dict(os.environ)

    def __enter__(self):
        os.environ.update(self.server.start())
        return self.server

    def __exit__(self, *_):
        os.environ.update(self.shared)
        self.server.stop()


def during(kind, server, driver, end, failure):
    """end: a function that ends the server, which is its argument."""
    sql = server.sleep(f"'{driver}'")
    with Own(kind) as own:
        client = Client(driver)
        client.ask(sql)
        quoted = sql.replace("'", "''")
        number = case.until(lambda: server.busy(quoted), f'{sql} runs')
        end(own, int(number))
        took, how = client.answer()
        case.equal(how, 'error', f'{driver}: how {sql} ended')
        trace = client.end()
    trace.check_times()
    trace.check(sql, took, failure, cutting.WORK)


def told(number):
    """Returns a function that sends the server's process this signal."""
    return lambda own, _: own.popen.send_signal(number)


def asking(sql):
    """Runs a query in a client that is not traced."""
    return subprocess.Popen(['/usr/bin/psql', '-XAtc', sql], env=matrix.env(),
                            stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL)


def crash(_own, number):
    """Kills another process of the same server; the server then ends all its
    connections."""
    sql = 'SELECT pg_sleep(60), 0'
    with asking(sql):
        other = int(case.until(lambda: PostgreSQL.busy(sql), f'{sql} runs'))
        case.true(other != number, 'it is another connection')
        os.kill(other, signal.SIGKILL)


def refuses():
    return 'shutting down' in subprocess.run(
        ['/usr/bin/psql', '-c', ''], env=matrix.env(), text=True,
        capture_output=True).stderr


def refused():
    """A server that shuts down refuses a connection with 57P03. This refusal
    is not the answer to a query."""
    sql = 'SELECT pg_sleep(60), 1'
    with Own(servers.PostgreSQL) as own, asking(sql) as last:
        case.until(lambda: PostgreSQL.busy(sql), f'{sql} runs')
        own.popen.send_signal(signal.SIGTERM)  # smart shutdown: awaits clients
        case.until(refuses, 'the server is shutting down')
        tracer = case.trace(*cutting.OPTIONS, env=matrix.env(), command=[
            own.tool('psql'), '-XAtc', 'SELECT 1'])
        tracer.wait(2)
        case.true('shutting down' in tracer.child.err, 'the server refused it')
        case.same([line.split(' ', 1)[1] for line in tracer.lines()],
                  ['+++ exited (status 2) +++'])
        last.kill()


def test():
    for driver in 'psycopg2', 'pg8000':
        during(servers.PostgreSQL, PostgreSQL, driver, told(signal.SIGINT),
               ENDED)
    # The server's last message is a warning: 57P01, and 57P02 after a crash.
    during(servers.PostgreSQL, PostgreSQL, 'psycopg2', told(signal.SIGQUIT),
           cutting.ANY)
    during(servers.PostgreSQL, PostgreSQL, 'asyncpg', crash, cutting.ANY)
    refused()
    for number in signal.SIGTERM, signal.SIGKILL:
        during(servers.MariaDB, MariaDB, 'pymysql', told(number),
               cutting.ANY)


case.main(test)
