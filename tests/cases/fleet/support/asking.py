# SPDX-License-Identifier: GPL-2.0-or-later
"""Asks MariaDB and PostgreSQL through several drivers which database is in use.
Writes for each query its label, the server to which the driver was told to
connect, and the database that the server has named.
"""
import asyncio
import json
import os
import sys

import asyncpg
import MySQLdb
import pg8000
import psycopg
import psycopg2
import pymysql

MY, PG = os.environ['TLS_MARIADB_PORT'], os.environ['TLS_PGPORT']
FOLDER = os.environ['TLS_PG_FOLDER']
SOCKET = os.environ['TLS_MARIADB_SOCKET']
HOST = '127.0.0.1'


def note(label, server, port, name):
    print(json.dumps([label, server, port, name]), flush=True)


def my_ask(base, label, server, port):
    cursor = base.cursor()
    cursor.execute(f"select '{label}', database()")
    note(label, server, port, cursor.fetchall()[0][1])


def my_work(module, name):
    base = module.connect(host=HOST, port=int(MY), user='root', db='xtrace')
    run = base.cursor().execute
    my_ask(base, f'{name} login', HOST, int(MY))
    base.select_db('mysql')
    my_ask(base, f'{name} select_db', HOST, int(MY))
    run('use `xtrace`')
    my_ask(base, f'{name} use', HOST, int(MY))
    try:
        run('use nosuch')
    except module.Error as fault:
        print(json.dumps([str(fault.args[0])]), flush=True)
    my_ask(base, f'{name} failed use', HOST, int(MY))
    run("prepare s from 'use mysql'")
    run('execute s')
    my_ask(base, f'{name} execute', HOST, int(MY))
    if module is MySQLdb:
        base.change_user('root', '', 'xtrace')
        my_ask(base, f'{name} change_user', HOST, int(MY))
    base.close()
    base = module.connect(unix_socket=SOCKET, user='root')
    my_ask(base, f'{name} socket', SOCKET, None)
    base.close()


def pg_work():
    base = psycopg2.connect(host=HOST, port=PG, user='xtrace',
                            dbname='postgres', sslmode='disable')
    cursor = base.cursor()
    cursor.execute("select 'psycopg2', current_database()")
    note('psycopg2', HOST, int(PG), cursor.fetchall()[0][1])
    base = psycopg2.connect(host=FOLDER, port=PG, user='xtrace',
                            dbname='template1')
    cursor = base.cursor()
    cursor.execute("select 'psycopg2 socket', current_database()")
    note('psycopg2 socket', FOLDER, int(PG), cursor.fetchall()[0][1])
    base = psycopg.connect(host='localhost', port=PG, user='xtrace',
                           dbname='postgres')
    row = base.execute("select 'psycopg', current_database()").fetchone()
    note('psycopg', 'localhost', int(PG), row[1])
    path = f'{FOLDER}/.s.PGSQL.{PG}'
    for label, server, port, more in [
            ('pg8000', HOST, int(PG), {'host': HOST, 'port': int(PG)}),
            ('pg8000 socket', path, None, {'unix_sock': path}),
            ('pg8000 tls', None, None,
             {'host': HOST, 'port': int(PG), 'ssl': True})]:
        base = pg8000.connect('xtrace', database='template1', **more)
        cursor = base.cursor()
        cursor.execute(f"select '{label}', current_database()")
        note(label, server, port, cursor.fetchall()[0][1])
        base.close()


async def asyncpg_work():
    base = await asyncpg.connect(host=HOST, port=int(PG), user='xtrace',
                                 database='postgres', ssl=False)
    row = await base.fetchrow("select 'asyncpg', current_database()")
    note('asyncpg', HOST, int(PG), row[1])
    await base.close()


if sys.argv[1] == 'mysql':
    my_work(MySQLdb, 'MySQLdb')
    my_work(pymysql, 'PyMySQL')
else:
    pg_work()
    asyncio.run(asyncpg_work())
