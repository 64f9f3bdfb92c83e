#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--requests of a server of asyncio that answers several requests at the same
time: each query of a request's own task belongs to the request whose text is in
it, also on a connection's second request. Queries of other tasks belong to no
request. --group-by request counts the same. The answers are as untraced. All
this holds also with uvloop, which sends queries whose coroutines wait already.

NEEDS: postgresql /usr/lib/python3/dist-packages/uvloop
TIMEOUT: 60
"""
import json
import re
import socket

import case
import matrix

CLIENTS = 4
ROUNDS = 3
OWN = 4  # the queries of a request's own task
SOCKET = case.FOLDER / 'socket'


class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(case.LIMIT)
        self.socket.connect(str(SOCKET))
        self.file = self.socket.makefile('rb')

    def ask(self, number):
        self.socket.sendall(f'GET /page/{number} HTTP/1.1\r\nHost: x\r\n\r\n'
                            .encode())

    def answer(self):
        head = []
        while head[-1:] != [b'\r\n']:
            head.append(self.file.readline())
            case.true(head[-1], f'a head after {head}')
        length = next(int(line.split()[1]) for line in head
                      if line.startswith(b'Content-Length'))
        return self.file.read(length).decode().splitlines()


def serve(loop, *options):
    """Attaches to a server, asks it, and returns the tracer."""
    server = case.start(case.PYTHON, case.SUPPORT / 'overlapping.py', SOCKET,
                        CLIENTS, *loop, env=matrix.env())
    server.wait_for('ready')
    tracer = case.attach(server, *options)
    clients = [Client() for _ in range(CLIENTS)]
    for first in range(0, ROUNDS * CLIENTS, CLIENTS):
        for number, client in enumerate(clients, first):
            client.ask(number)
        for number, client in enumerate(clients, first):
            case.equal(client.answer(), [f'page {number} first'] +
                       [f'page {number}'] * (OWN - 1) +
                       [f'started by {number}'] * 2, f'answer {number}')
    for client in clients:
        client.file.close()
        client.socket.close()
    case.finish(server)
    tracer.wait(0)
    SOCKET.unlink()
    return tracer


def check_json(path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    paths = {row['request']: row['path'] for row in rows
             if row['event'] == 'request'}
    case.equal(sorted(paths.values()), sorted(
        f'/page/{number}' for number in range(ROUNDS * CLIENTS)), 'requests')
    own = other = 0
    for row in rows:
        if row['event'] != 'call':
            continue
        text = row['arguments'][0]['value']
        page = re.search(r"'page (\d+)", text)
        if page:
            own += 1
            case.equal(paths.get(row.get('request')), f'/page/{page[1]}',
                       f'the request of {text}')
        else:
            other += 1
            case.true('request' not in row, f'no request of {row}')
    case.equal(own, ROUNDS * CLIENTS * OWN, 'queries of requests')
    case.true(other >= ROUNDS * CLIENTS * 2, f'{other} other queries')


def check_table(lines):
    """Columns: requests, mean, database, share, queries."""
    row = next(line.split() for line in lines if line.endswith(' GET /page/*'))
    case.equal((int(row[0]), int(row[4])),
               (ROUNDS * CLIENTS, ROUNDS * CLIENTS * OWN), f'{lines}')


def check_groups(lines):
    row = next(line for line in lines if line.endswith('  GET /page/*'))
    case.true(str(ROUNDS * CLIENTS * OWN) in row.split(), f'{lines}')


def test():
    for loop in (), ('uvloop',):
        tracer = serve(loop, '--requests', '--json=out.json')
        check_json(case.FOLDER / 'out.json')
        check_table(tracer.lines())
    check_groups(serve((), '--summary', '--group-by', 'request').lines())


case.main(test)
