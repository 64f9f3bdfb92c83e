#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--requests: a client sends the beginning of its next request while the server
still sends the answer to the one before. Both requests are told, the second one
with its traceparent. The output and the status are as untraced.
"""
import json

import case

TRACE, PARENT = '0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'
# The program is the client and the server, so the order is always the same.
PROGRAM = f'''
import socket, sqlite3
base = sqlite3.connect(':memory:')
near, far = socket.socketpair()

def ask(data):
    near.sendall(data)
    print(far.recv(4096), base.execute('SELECT 1').fetchone())

def answer(data):
    far.sendall(data)
    print(near.recv(4096))

ask(b'GET /first HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n')
answer(b'HTTP/1.1 200 OK\\r\\nContent-Length: 2\\r\\n\\r\\n1')
ask(b'GET /seco')
answer(b'2')
ask(b'nd HTTP/1.1\\r\\ntraceparent: 00-{TRACE}')
ask(b'-{PARENT}-01\\r\\n\\r\\n')
answer(b'HTTP/1.1 204 No Content\\r\\n\\r\\n')
'''


def test():
    command = [case.PYTHON, '-c', PROGRAM]
    tracer = case.trace('--requests', f'--json={case.FOLDER}/requests.json',
                        command=command)
    got = tracer.wait(), tracer.child.out
    case.equal(got, case.untraced(*command)[:2], 'status and output')
    lines = (case.FOLDER / 'requests.json').read_text().splitlines()
    told = [row for row in map(json.loads, lines) if row['event'] == 'request']
    case.equal([(row['path'], row.get('trace'), row.get('parent'))
                for row in told],
               [('/first', None, None), ('/second', TRACE, PARENT)], 'requests')


case.main(test)
