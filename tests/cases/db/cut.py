#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The server ends a connection or cancels a query, while a query runs or while
none does. The trace must show the right end and time of the query. See
cutting.py.

NEEDS: mariadb postgresql
TIMEOUT: 300
"""
import case
import cutting
from cutting import Client, MariaDB, PostgreSQL

ENDED = {'state': '57P01', 'message':
         'terminating connection due to administrator command'}
CANCELLED = {'state': '57014', 'message':
             'canceling statement due to user request'}
KILLED = {'code': 1317, 'state': '70100', 'message':
          'Query execution was interrupted'}


def number_of(find, sql):
    return case.until(lambda: find(sql), f'the server runs {sql}')


def busy(server, driver, end, failure, alive=False):
    """end: the statement that the server is asked to run against the
    connection {}. alive: the connection can still be used afterwards."""
    sql = server.sleep(f"'{driver}'")
    client = Client(driver)
    client.ask(sql)
    quoted = sql.replace("'", "''")
    server.ask(end.format(number_of(server.busy, quoted)))
    took, how = client.answer()
    case.equal(how, 'error', f'{driver}: how {sql} ended')
    if alive:
        client.ask('SELECT 2')
        case.equal(client.answer()[1], 'ok', f'{driver}: the query after')
    trace = client.end()
    trace.check_times()
    trace.check(sql, took, failure, cutting.WORK)
    if alive:
        case.equal(trace.of('SELECT 2')[1]['rows'], 1, f'{driver}: its rows')


def idle(server, driver, first, end):
    """end: a statement with {}, by which another connection ends connection {};
    or one without {}, by which the client sets a time limit."""
    client = Client(driver)
    client.ask(first)
    case.equal(client.answer()[1], 'ok', f'{driver}: {first}')
    quoted = first.replace("'", "''") if server is PostgreSQL else first
    number = number_of(server.idle, quoted)
    if '{}' in end:
        server.ask(end.format(number))
    else:
        client.ask(end)
        client.answer()  # drivers that want rows report an error
    case.until(lambda: server.gone(number), f'connection {number} is closed')
    client.ask('SELECT 2')
    took, how = client.answer()
    case.equal(how, 'error', f'{driver}: how the query after the end went')
    trace = client.end()
    trace.check_times()
    case.equal(trace.of(first)[1]['end'], 'returned', f'{driver}: {first}')
    row = trace.of('SELECT 2')[1]
    if row:
        case.true(row['duration'] <= took + cutting.ROUNDING,
                  f'{driver}: SELECT 2 took {row["duration"]}, not {took} s')


def test():
    for driver in PostgreSQL.drivers:
        busy(PostgreSQL, driver, 'SELECT pg_terminate_backend({})', ENDED)
        busy(PostgreSQL, driver, 'SELECT pg_cancel_backend({})', CANCELLED,
             alive=True)
        idle(PostgreSQL, driver, f"SELECT 'idle-{driver}'",
             'SELECT pg_terminate_backend({})')
        idle(PostgreSQL, driver, f"SELECT 'limit-{driver}'",
             "SET idle_session_timeout = '10ms'")
    for driver in MariaDB.drivers:
        busy(MariaDB, driver, 'KILL {}', cutting.ANY)
        busy(MariaDB, driver, 'KILL QUERY {}', KILLED, alive=True)
        idle(MariaDB, driver, f"SELECT GET_LOCK('idle-{driver}', 0)",
             'KILL {}')
        idle(MariaDB, driver, f"SELECT GET_LOCK('limit-{driver}', 0)",
             'SET wait_timeout = 1')


case.main(test)
