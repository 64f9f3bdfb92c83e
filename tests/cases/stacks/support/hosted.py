# SPDX-License-Identifier: GPL-2.0-or-later
"""Scripts that run within a server. A request over HTTP makes the script call
a traced function from many places, and the answer contains the stack of each
call as the language itself reports it, as with stackcase. The server is asked
untraced, then with xtrace attached, then started by xtrace. The answers must
be the same each time, and equal to the trace."""
import contextlib
import os
import signal
import socket

import case
import stackcase

NUMBERS = range(1000, 3000, 100)  # a request is made with each number


def get(where, number):
    """The body of the server's answer."""
    family = socket.AF_INET if isinstance(where, tuple) else socket.AF_UNIX
    with socket.socket(family) as near:
        near.settimeout(case.LIMIT)
        near.connect(where)
        near.sendall(b'GET /%d HTTP/1.0\r\n\r\n' % number)
        parts = []
        while part := near.recv(65536):
            parts.append(part)
    head, _, body = b''.join(parts).partition(b'\r\n\r\n')
    case.true(head.split()[1:2] == [b'200'], f'an answer, not {head!r}')
    return body.decode()


def listens(where):
    family = socket.AF_INET if isinstance(where, tuple) else socket.AF_UNIX
    with contextlib.suppress(OSError), socket.socket(family) as near:
        near.connect(where)
        return True
    return False


def ask(where, child):
    """Waits until the server listens. Returns its answers to all requests."""
    case.until(lambda: listens(where) or not child.alive(),
               'the server listens')
    return ''.join(get(where, number) for number in NUMBERS)


def same_answers(where, child, wanted, what):
    got = ask(where, child).splitlines()
    case.equal(len(got), len(wanted.splitlines()), f'{what}: answers')
    for row, one in zip(got, wanted.splitlines()):
        case.equal(row, one, f'{what}: what it answers')


def program_of(tracer):
    """The server's process. xtrace's other child is its watcher."""
    for pid in case.child.children(tracer.pid):
        try:
            if os.readlink(f'/proc/{pid}/exe') != os.path.realpath(
                    case.XTRACE):
                return pid
        except OSError:  # the child that has started the watcher has ended
            pass
    return case.fail('xtrace has started nothing')


def check(answers, tracer, name, least, what):
    case.equal(tracer.says(), [], f'{what}: what xtrace says')
    path = case.FOLDER / 'answers'
    path.write_text(answers)
    said = stackcase.said_of(path)
    case.equal(len(said), least * len(NUMBERS), f'{what}: calls')
    stackcase.compare(said, stackcase.traced_of(stackcase.read(tracer.path),
                                                name), 100, what)


def test(command, where, name, prototype, each):
    """each: how many traced calls a request makes."""
    (case.FOLDER / 'hosted.conf').write_text(prototype + '\n')
    options = '-F', 'hosted.conf', '-w', '100', '-x', name
    server = case.start(*command)
    wanted = ask(where, server)
    tracer = case.attach(server, *options)
    same_answers(where, server, wanted, 'attached')
    tracer.leave()
    check(wanted, tracer, name, each, 'attached')
    same_answers(where, server, wanted, 'left')
    server.signal(signal.SIGTERM)
    status = server.wait()

    tracer = case.trace(*options, command=command)
    same_answers(where, tracer.child, wanted, 'started')
    os.kill(program_of(tracer), signal.SIGTERM)
    tracer.wait(status)
    check(wanted, tracer, name, each, 'started')
