# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries whose literals contain geheim or 47110815234; no other part does."""
import os
import socket
import sqlite3
import sys
import threading

import MySQLdb
import psycopg2
import pymysql

# A server of Redis that answers +OK to everything.
listener = socket.create_server(('127.0.0.1', 0))


def serve():
    peer = listener.accept()[0]
    while peer.recv(4096):
        peer.sendall(b'+OK\r\n')


def ask_mysql(base):
    cursor = base.cursor()
    for text in ('drop table if exists secrets',
                 'create table secrets(a varchar(90) primary key, n bigint)',
                 "insert into secrets values ('geheim1', 471108152340)",
                 "insert into secrets values ('geheim1', 471108152341)",
                 'select "geheim2", \'it\\\'s geheim3\' from dual '
                 'where "geheim4" = 471108152342 or 1 > 471108152343 # geheim5',
                 "select 'geheim6', nothing from secrets",
                 'drop table secrets'):
        try:
            cursor.execute(text)
            cursor.fetchall()
        except (MySQLdb.Error, pymysql.Error) as error:
            print(error.args[0])
    base.close()


def ask_postgresql():
    base = psycopg2.connect('')
    base.autocommit = True
    cursor = base.cursor()
    for text in ("select \"a\", $$geheim$$ from (select 'geheim' as \"a\") b "
                 '-- geheim',
                 r"select 'geheim\', 'geheim'",
                 "select 'geheim'::int"):
        try:
            cursor.execute(text)
            print(len(cursor.fetchall()))
        except psycopg2.Error as error:
            print(error.pgcode)


def ask_sqlite():
    base = sqlite3.connect(':memory:', isolation_level=None)
    base.execute('create table t(a, n)')
    base.execute("insert into t values ('geheim', 471108152344)")
    base.execute('insert into t values (?, ?)', ('geheim', 471108152345))
    print(len(base.execute('select "geheim", n from "t"').fetchall()))


def ask_redis():
    with socket.create_connection(listener.getsockname()) as peer:
        for words in ((b'SET', b'geheim', b'47110815234'), (b'AUTH', b'geheim')):
            text = b'*%d\r\n' % len(words)
            for word in words:
                text += b'$%d\r\n%s\r\n' % (len(word), word)
            peer.sendall(text)
            peer.recv(4096)


waits = len(sys.argv) > 1
if waits:
    print('ready', flush=True)
    sys.stdin.readline()
place = os.environ['MARIADB_SOCKET']
ask_postgresql()
ask_sqlite()
for driver in MySQLdb, pymysql:
    ask_mysql(driver.connect(unix_socket=place, user='root',
                             database='xtrace'))
server = threading.Thread(target=serve)
server.start()
ask_redis()
server.join()
if waits:
    print('done', flush=True)
    sys.stdin.readline()
