# SPDX-License-Identifier: GPL-2.0-or-later
"""Clients in Python: client.py DRIVER FILE [THREADS]; see README.md."""
import os
import sys
import threading
import time


def mysqldb():
    import MySQLdb
    base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'],
                           user='root', db='xtrace')
    cursor = base.cursor()

    def ask(sql):
        cursor.execute(sql)
        cursor.fetchall()
    return ask, MySQLdb.Error


def pymysql():
    import pymysql as driver
    more = {}
    if os.environ.get('TLS_CA'):
        more = {'ssl': {'ca': os.environ['TLS_CA'], 'check_hostname': False}}
    base = driver.connect(unix_socket=os.environ['MARIADB_SOCKET'],
                          user='root', db='xtrace', **more)
    cursor = base.cursor()
    if more:
        cursor.execute("SHOW STATUS LIKE 'Ssl_cipher'")
        if not cursor.fetchone()[1]:
            sys.exit('not encrypted')

    def ask(sql):
        cursor.execute(sql)
        cursor.fetchall()
    return ask, driver.MySQLError


def psycopg2():
    import psycopg2 as driver
    base = driver.connect('')
    base.autocommit = True
    cursor = base.cursor()

    def ask(sql):
        cursor.execute(sql)
        cursor.fetchall()
    return ask, driver.Error


def psycopg3():
    import psycopg as driver
    base = driver.connect('', autocommit=True)
    cursor = base.cursor()

    def ask(sql):
        cursor.execute(sql)
        cursor.fetchall()
    return ask, driver.Error


def psycopg3_prepared():
    import psycopg as driver
    base = driver.connect('', autocommit=True)
    cursor = base.cursor()

    def ask(sql):
        cursor.execute(sql, prepare=True)
        cursor.fetchall()
    return ask, driver.Error


def asyncpg():
    import asyncio
    import ssl
    import asyncpg as driver
    loop = asyncio.new_event_loop()
    more = {'host': os.environ['PGHOST']}
    if os.environ.get('TLS_CA'):
        context = ssl.create_default_context(cafile=os.environ['TLS_CA'])
        context.check_hostname = False
        more = {'host': 'localhost', 'port': int(os.environ['PGPORT']),
                'ssl': context}
    base = loop.run_until_complete(driver.connect(
        user='xtrace', database='postgres', **more))
    if 'ssl' in more and not loop.run_until_complete(base.fetchval(
            'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')):
        sys.exit('not encrypted')

    def ask(sql):
        loop.run_until_complete(base.fetch(sql))
    # driver.InternalClientError is raised if the server has ended the
    # connection.
    return ask, (driver.PostgresError, driver.InterfaceError,
                 driver.InternalClientError)


def pg8000():
    import pg8000 as driver
    more = {'unix_sock': os.environ['PGHOST'] + '/.s.PGSQL.5432'}
    if os.environ.get('TLS_CA'):
        more = {'host': 'localhost', 'port': int(os.environ['PGPORT']),
                'ssl': True}
    base = driver.connect('xtrace', database='postgres', **more)
    base.autocommit = True
    cursor = base.cursor()
    if 'ssl' in more:
        cursor.execute(
            'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
        if not cursor.fetchone()[0]:
            sys.exit('not encrypted')

    def ask(sql):
        cursor.execute(sql)
        cursor.fetchall()
    return ask, driver.Error


def sqlite3():
    import sqlite3 as driver
    base = driver.connect(':memory:', isolation_level=None,
                          check_same_thread=False)
    base.create_function('pause', 1, lambda span: time.sleep(span))

    def ask(sql):
        base.execute(sql).fetchall()
    return ask, driver.Error


def run(ask, errors, count, sql):
    began = time.perf_counter()
    how = 'ok'
    try:
        for _ in range(count):
            ask(sql)
    except errors:
        how = 'error'
    return time.perf_counter() - began, how


def rows():
    for line in open(sys.argv[2]):
        count, _, sql = line.rstrip('\n').partition('\t')
        yield int(count), sql


def main():
    opened = [globals()[sys.argv[1].replace('-', '_')]()
              for _ in range(int((sys.argv[3:] or ['1'])[0]))]
    print('ready', flush=True)
    sys.stdin.readline()
    if len(opened) == 1:
        for count, sql in rows():
            took, how = run(*opened[0], count, sql)
            print(f'query\t{took:.6f}\t{how}', flush=True)
    else:
        threads = [threading.Thread(target=lambda one=one: [
            run(*one, count, sql) for count, sql in rows()]) for one in opened]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    print('end', flush=True)


if __name__ == '__main__':
    main()
