#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Sockets that are cut while an answer comes: closed or reset in the middle of
its rows, closed between an error and the end of its answer; and a client that
closes its socket instead of waiting for the answer, or whose child does. See
cutting.py.

NEEDS: mariadb postgresql
TIMEOUT: 300
"""
import json
import os
import selectors
import socket
import threading

import case
import cutting
import matrix
from cutting import Client, MariaDB, PostgreSQL

LENGTH = 100_000
HALF = LENGTH // 2
FAULT = {'state': '42601'}
# A client that sends a query and waits a number of seconds for the answer. If
# the answer comes too late, the client closes its socket. After a reset the
# client keeps the socket open.
ASKS = '''
import os, socket, struct, sys, time
sql, limit = sys.argv[1].encode(), float(sys.argv[2])
base = socket.socket(socket.AF_UNIX)
base.connect(os.environ['PGHOST'] + '/.s.PGSQL.5432')
start = struct.pack('!i', 3 << 16) + b'user\\0xtrace\\0database\\0postgres\\0\\0'
base.sendall(struct.pack('!i', len(start) + 4) + start)
said = b''
while not said.endswith(b'Z\\0\\0\\0\\5I'):
    said += base.recv(4096)
print('ready', flush=True)
sys.stdin.readline()
began = time.monotonic()
base.sendall(b'Q' + struct.pack('!i', len(sql) + 5) + sql + b'\\0')
base.settimeout(limit)
try:
    while base.recv(4096):
        pass
    how = 'closed'
except TimeoutError:
    base.close()
    how = 'late'
except ConnectionResetError:
    how = 'reset'
print(f'ended\\t{time.monotonic() - began}\\t{how}', flush=True)
sys.stdin.readline()
'''


def half(data, passed):
    """How many bytes of the data to pass on before the cut, or None: all,
    without a cut. passed: the number of bytes passed on since the mark."""
    return HALF - passed if passed + len(data) >= HALF else None


def error(data, _passed):
    """Cuts behind PostgreSQL's error, before the ReadyForQuery that follows
    it."""
    end = data.find(b'Z\0\0\0\5')
    return end if end >= 0 else None


class Proxy(threading.Thread):
    """A proxy between one client and a server. When a message of the client
    has the mark, the proxy cuts the server's answer, at the place that the
    function `cut` returns. reset: the client's socket is not only closed, but
    reports ECONNRESET, because the proxy closes its own socket before it has
    read that message."""

    def __init__(self, path, server, mark, cut, reset):
        super().__init__(daemon=True)
        self.server = server
        self.mark = mark.encode()
        self.cut = cut
        self.reset = reset
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()

    def run(self):
        client = self.listener.accept()[0]
        server = socket.socket(socket.AF_UNIX)
        server.connect(self.server)
        with self.listener, client, server, \
                selectors.DefaultSelector() as ends:
            ends.register(client, selectors.EVENT_READ)
            ends.register(server, selectors.EVENT_READ)
            self.relay(client, server, ends)

    def relay(self, client, server, ends):
        marked, passed = False, 0
        while True:
            for key, _ in ends.select():
                if key.fileobj is client:
                    data = client.recv(1 << 16, socket.MSG_PEEK)
                    server.sendall(data)
                    marked = marked or self.mark in data
                    if marked and self.reset:
                        ends.unregister(client)
                    else:
                        client.recv(1 << 16)
                else:
                    data = server.recv(1 << 16)
                    end = self.cut(data, passed) if marked else None
                    client.sendall(data[:end])
                    if end is not None:
                        return
                    passed += len(data) if marked else 0
                if not data:
                    return


def between(server, name, sql, where, reset):
    """Starts a proxy that cuts the answer to the query. Returns the
    environment for the client."""
    folder = case.FOLDER / name
    folder.mkdir()
    if server is PostgreSQL:
        near, far = '.s.PGSQL.5432', os.environ['PGHOST'] + '/.s.PGSQL.5432'
        env = {'PGHOST': str(folder)}
    else:
        near, far = 's', os.environ['MARIADB_SOCKET']
        env = {'MARIADB_SOCKET': str(folder / near)}
    Proxy(folder / near, far, sql, where, reset).start()
    return env


def cut(server, driver, sql, where, reset, failure):
    name = f'{driver}-{where.__name__}-{reset}'
    client = Client(driver, between(server, name, sql, where, reset))
    client.ask(sql)
    took, how = client.answer()
    case.equal(how, 'error', f'{name}: how {sql} ended')
    trace = client.end()
    trace.check_times()
    trace.check(sql, took, failure)


def no_answer(sql, limit, how, env, failure):
    """A query that gets no answer has failed. Its time ends with the client's
    wait, not with the program."""
    path = case.FOLDER / f'{how}.json'
    tracer = case.trace('--set', 'wire', f'--json={path}',
                        command=[case.PYTHON, '-c', ASKS, sql, limit],
                        env={**matrix.env(), **env})
    client = tracer.child
    client.wait_for('ready')
    client.say()
    words = client.wait_for('ended').split('\t')
    case.equal(words[2], how, f'how {sql} ended')
    took = float(words[1])
    client.say()
    tracer.wait(0)
    rows = [row for row in map(json.loads, path.read_text().splitlines())
            if row['event'] == 'call']
    case.equal([row['arguments'][0]['value'] for row in rows], [sql],
               'queries')
    case.equal((rows[0]['end'], rows[0].get('failure')), ('returned', failure),
               f'{sql}: its end')
    case.true(rows[0]['duration'] <= took + cutting.ROUNDING,
              f'{sql}: {rows[0]["duration"]} s, but it ended after {took} s')


def vforked():
    """No cut: if a child of vfork() closes its descriptor, the parent's stays
    open."""
    program = case.build('vfork_client.c')
    tracer = case.trace('-f', '--set', 'wire', '-T', command=[
        program, os.environ['PGHOST'] + '/.s.PGSQL.5432'])
    tracer.wait(0)
    case.contains(tracer.lines(), '%num %time postgresql '
                  '"SELECT pg_sleep(0.1)" = 1 <%dur>')


def test():
    for driver in PostgreSQL.drivers:
        cut(PostgreSQL, driver, f"SELECT repeat('x', {LENGTH}), 'rows'", half,
            False, cutting.CLOSED)
        cut(PostgreSQL, driver, "SELEKT 'error'", error, False, FAULT)
    for driver in MariaDB.drivers:
        cut(MariaDB, driver, f"SELECT REPEAT('x', {LENGTH}), 'rows'", half,
            False, cutting.CLOSED)
    # The client of each of these drivers sends a query as one message.
    for server, driver in ((PostgreSQL, 'psycopg2'), (MariaDB, 'pymysql'),
                           (MariaDB, 'mysqldb')):
        cut(server, driver, f"SELECT repeat('x', {LENGTH}), 'reset'", half,
            True, cutting.RESET)
    no_answer('SELECT pg_sleep(60)', 0.01, 'late', {},
              {'message': 'the client closed the connection'})
    sql = f"SELECT repeat('x', {LENGTH}), 'kept'"
    no_answer(sql, 60, 'reset', between(PostgreSQL, 'kept', sql, half, True),
              cutting.RESET)
    vforked()


case.main(test)
