#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""-f -p with the master of a server that has already forked its workers and
replaces them after a few requests: php-fpm, asked by FastCGI, and a server in
Python. Each request gets the right answer and is traced in the worker that
answers it, whenever that worker was born.

NEEDS: /usr/sbin/php-fpm8.2
TIMEOUT: 120
"""
import collections
import os
import pwd
import re
import signal
import socket
import zlib

import case
import fastcgi

WORKERS, ANSWERS, REQUESTS = 3, 5, 40


def children(pid):
    with open(f'/proc/{pid}/task/{pid}/children') as file:
        return [int(word) for word in file.read().split()]


def ask(path, request):
    with socket.socket(socket.AF_UNIX) as near:
        near.settimeout(case.LIMIT)
        near.connect(str(path))
        near.sendall(request)
        parts = []
        while True:
            part = near.recv(4096)
            if not part:
                break
            parts.append(part)
    found = re.search(rb'(\d+) (\d+)\n', b''.join(parts))
    case.true(found, f'an answer: {parts}')
    return int(found[1]), int(found[2])


def ask_many(path, request_of, first):
    """Returns {pid of a worker: how many requests it has answered}. Each answer
    must be right."""
    answered = collections.Counter()
    for number in range(first, first + REQUESTS):
        pid, checksum = ask(path, request_of(number))
        case.equal(checksum, zlib.crc32(b'asked %d' % number), 'answer')
        answered[pid] += 1
    return answered


def same_texts(server):
    """The text of the master and of its workers is as in their files. A worker
    that has given its last answer may end meanwhile."""
    case.same_text(server.pid)
    for pid in children(server.pid):
        try:
            case.same_text(pid)
        except OSError:
            case.until(lambda pid=pid: pid not in children(server.pid),
                       f'{pid} ends')


def try_server(name, command, path, request_of, function):
    server = case.start(*command)
    case.until(lambda: path.exists() and len(children(server.pid)) == WORKERS,
               f'{name} accepts requests')
    there = set(children(server.pid))
    tracer = case.attach(server, '-f', '-x', function)
    for pid in there:
        case.wait_planted(pid, tracer)
    answered = ask_many(path, request_of, 1000)
    case.true(len(answered) >= REQUESTS // ANSWERS and
              set(answered) & there and set(answered) - there,
              f'old workers and new ones: {answered}, {there}')
    tracer.leave()
    case.equal(tracer.says(), [], f'{name}: what xtrace says')
    seen = collections.Counter(int(row.split()[0]) for row in tracer.lines()
                               if f' {function}(' in row)
    case.equal(seen, answered, f'{name}: calls of {function} by worker')
    same_texts(server)
    ask_many(path, request_of, 2000)
    server.signal(signal.SIGTERM)
    server.wait()


def test():
    fpm, python = case.FOLDER / 'fpm', case.FOLDER / 'python'
    (case.FOLDER / 'fpm.conf').write_text(
        f'[global]\nerror_log = {case.FOLDER}/fpm.log\n[www]\n'
        f'user = {pwd.getpwuid(os.getuid()).pw_name}\nlisten = {fpm}\n'
        f'pm = static\npm.max_children = {WORKERS}\n'
        f'pm.max_requests = {ANSWERS}\n')
    try_server('php-fpm', ['/usr/sbin/php-fpm8.2', '-n', '-F', '-R', '-y',
                           case.FOLDER / 'fpm.conf'], fpm,
               lambda number: fastcgi.get(case.SUPPORT / 'prefork.php',
                                          f'number={number}'),
               'php_request_startup')
    try_server('Python', [case.PYTHON, case.SUPPORT / 'prefork_server.py',
                          python], python,
               lambda number: b'asked %d' % number, 'crc32')


case.main(test)
