#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--prometheus PORT: the process that answers cannot trace, answers whatever
clients send, and ends with xtrace, even after SIGKILL. The text has all
queries while the program still runs. If the port is taken, xtrace prints a line
and does not start the command. The output of the program is as untraced.
"""
import os
import signal
import socket

import case
from ports import SCRIPT, ended, fetch, free_port, listens, servers

COUNT = 'xtrace_query_duration_seconds_count{'


def status_of(pid):
    with open(f'/proc/{pid}/status') as file:
        return dict(line.rstrip('\n').split(':\t', 1) for line in file)


def check_rights(tracer, port):
    (server,) = servers(port) - {tracer.pid}
    status = status_of(server)
    for name in ('CapPrm', 'CapEff', 'CapInh', 'CapAmb'):
        case.equal(int(status[name], 16), 0, name)
    case.equal((status['NoNewPrivs'], status['Seccomp']), ('1', '2'),
               'what seccomp allows')
    if os.getuid() == 0:
        case.equal(status['Uid'].split(), ['65534'] * 4, 'its user')
        case.equal(status['Groups'].split(), [], 'its groups')
    case.equal(sorted(map(int, os.listdir(f'/proc/{server}/fd'))),
               [0, 1, 2, 3, 4, 5], 'its descriptors')
    return server


def connected(port):
    return socket.create_connection(('127.0.0.1', port), case.LIMIT)


def talk(port, data):
    with connected(port) as one:
        one.sendall(data)
        out = b''
        while piece := one.recv(65536):
            out += piece
    return out.decode()


def check_http(port):
    status, headers, body = fetch(port)
    case.equal((status, headers['Content-Type']),
               (200, 'text/plain; version=0.0.4; charset=utf-8'), 'the answer')
    case.equal(int(headers['Content-Length']), len(body.encode()), 'length')
    case.equal(fetch(port, method='HEAD')[::2], (200, ''), 'HEAD')
    case.equal(fetch(port, '/metrics?x=1')[0], 200, 'with a query')
    case.equal(fetch(port, '/')[0], 200, 'the root')
    case.equal(fetch(port, '/secret')[0], 404, 'another path')
    case.equal(fetch(port, method='POST')[0], 405, 'POST')
    for data in (b'\r\n\r\n', b'GET\r\n\r\n', b'GET /metrics\r\n\r\n',
                 b'GET /metrics SPDY/3\n\n', b'x' * 8192):
        case.true(talk(port, data).startswith('HTTP/1.1 400 '), f'{data!r}')
    # Clients that say nothing do not keep others from their answer.
    silent = [connected(port) for _ in range(31)]
    case.equal(fetch(port)[0], 200, 'beside silent clients')
    for one in silent:
        one.close()


def test_answers():
    path = case.FOLDER / 'script.py'
    path.write_text(SCRIPT)
    untraced = case.untraced(case.PYTHON, path, feed=['go'])
    port = free_port()
    tracer = case.trace('--prometheus', str(port), command=[case.PYTHON, path])
    tracer.child.wait_for('ready')
    check_rights(tracer, port)
    case.until(lambda: fetch(port)[2].count(COUNT) == 4,
               'the text has all queries')
    check_http(port)
    tracer.child.say('go')
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err), untraced,
               'as untraced')
    case.true(not listens(port), 'nothing listens after the end')


def test_killed():
    path = case.FOLDER / 'script.py'
    subject = case.start(case.PYTHON, path)
    subject.wait_for('ready')
    port = free_port()
    tracer = case.attach(subject, '--prometheus', f'127.0.0.1:{port}')
    server = check_rights(tracer, port)
    tracer.send(signal.SIGKILL)
    tracer.child.wait()
    case.until(lambda: ended(server), 'the server ends with xtrace')
    case.until(lambda: not case.text_changes(subject.pid), 'no trap is left')
    subject.say('go')
    case.finish(subject)


def test_taken():
    with socket.socket() as one:
        one.bind(('127.0.0.1', 0))
        one.listen()
        port = one.getsockname()[1]
        run = case.start(case.XTRACE, '--prometheus', str(port),
                         'touch', 'started')
        case.equal(run.wait(), 1, 'the status')
    case.equal(run.err, f'xtrace: {port}: cannot listen there: '
               'Address already in use\n', 'the line')
    case.true(not (case.FOLDER / 'started').exists(), 'nothing was started')


def test():
    test_answers()
    test_killed()
    test_taken()


case.main(test)
