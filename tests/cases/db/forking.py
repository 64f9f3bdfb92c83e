#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Servers that fork their workers, with -f: no worker's query is lost. The
servers are gunicorn, php-fpm and one that was written for these tests. Several
clients at once send each server a thousand queries over its socket. xtrace
starts the server, or attaches when the workers exist.

NEEDS: mariadb postgresql gunicorn /usr/sbin/php-fpm8.2
SLOW: its clients and threads need a machine of their own
TIMEOUT: 600
"""
import concurrent.futures
import contextlib
import json
import os
import pwd
import signal
import socket

import case
import drivers
import fastcgi
import matrix
from child import children

WORKERS = 3
REQUESTS = 20
EACH = 50
WARM, COUNTED = 4241, 4242  # the numbers that the queries select


def connect(path):
    near = socket.socket(socket.AF_UNIX)
    near.settimeout(case.LIMIT)
    near.connect(str(path))
    return near


def answer(near):
    parts = []
    while True:
        part = near.recv(65536)
        if not part:
            return b''.join(parts)
        parts.append(part)


def ask_plain(path, number):
    with connect(path) as near:
        near.sendall(b'%d %d\n' % (EACH, number))
        return answer(near)


def ask_http(path, number):
    with connect(path) as near:
        near.sendall(b'GET /%d/%d HTTP/1.0\r\n\r\n' % (EACH, number))
        return answer(near)


def ask_fastcgi(path, driver, number):
    with connect(path) as near:
        near.sendall(fastcgi.get(case.SUPPORT / 'clients' / 'client.php',
                                 f'driver={driver}&count={EACH}&sql=SELECT+'
                                 f'{number}'))
        return answer(near)


def runs_server(pid):
    """True if the process does not execute xtrace. For a moment, xtrace has a
    child that executes xtrace, too, and that starts the watcher."""
    with contextlib.suppress(OSError):
        return not os.path.samefile(f'/proc/{pid}/exe', case.XTRACE)
    return False


def master_of(pid):
    """The pid of the server that xtrace has started: 0 until it forks."""
    return max((len(children(child)), child) for child in
               [*filter(runs_server, children(pid)), 0])[1]


def serves(pid, path):
    """True if the workers and the socket exist. A client that connects now
    waits until a worker accepts."""
    return len(children(pid)) >= WORKERS and path.exists()


def ask_some(ask, number, count):
    """Sends requests from several clients at once. Each must get its own
    answer."""
    with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
        for text in pool.map(ask, [number] * count):
            case.true(b'asked' in text, f'an answer, not {text[-300:]!r}')


def asked(tracer, number):
    """The queries in the whole lines of the trace that are written so far."""
    text = tracer.path.read_text() if tracer.path.exists() else ''
    return [row for row in map(json.loads, text.split('\n')[:-1])
            if row['event'] == 'call' and
            row['arguments'][0]['value'] == f'SELECT {number}']


def all_seen(tracer, ask):
    """Sends each worker a request. Whether a worker is traced is only visible
    when it makes a query."""
    ask_some(ask, WARM, WORKERS)
    return len({row['pid'] for row in asked(tracer, WARM)}) == WORKERS


def check(rows, seen, master):
    case.equal(len(rows), REQUESTS * EACH, f'queries at {seen}')
    case.true({row['name'] for row in rows} <= seen,
              f'{rows[0]["name"]} is one of {seen}')
    case.equal({row['end'] for row in rows}, {'returned'}, 'how they ended')
    case.true(master not in {row['pid'] for row in rows},
              'workers that made queries')


OPTIONS = ['-f', '--json', '--sql']


def seen_at(table, name):
    driver = next(driver for driver in table if driver.name == name)
    return set(driver.functions) or {matrix.WIRE[driver.base]}


def run(name, command, path, ask, seen, env, stop=signal.SIGTERM):
    for way in 'started', 'attached':
        # If the case runs too long, its last line tells which step it was in.
        def step(what, label=f'{name}, {way}'):
            print(f'{label}: {what}', flush=True)
        step('starts')
        if path.exists():
            path.unlink()
        if way == 'started':
            tracer = case.trace(*OPTIONS, command=command, env=env)
            case.until(lambda: children(master_of(tracer.pid)),
                       f'{name} runs')
            master = master_of(tracer.pid)
        else:
            server = case.start(*command, env=env)
            master = server.pid
        step('forks')
        case.until(lambda: serves(master, path), f'{name} serves')
        if way == 'attached':
            step('is attached to')
            tracer = case.attach(server, *OPTIONS)
            step('makes queries in each worker')
            case.until(lambda: all_seen(tracer, ask), 'all workers are traced')
        step('answers')
        ask_some(ask, COUNTED, REQUESTS)
        step('ends')
        os.kill(master, stop)
        tracer.wait()
        if way == 'attached':
            server.wait()
        try:
            check(asked(tracer, COUNTED), seen, master)
        except case.Failure as fault:
            case.fail(f'{name}, {way}: {fault}')
    matrix.note(driver=name, way='forks')


def test():
    env = {name: value for name, value in os.environ.items()
           if name.startswith(('PG', 'MARIADB'))}
    env['WORKERS'] = str(WORKERS)
    own = case.FOLDER / 'own.socket'
    for driver in 'mysqldb', 'asyncpg':
        run(f'own server with {driver}',
            [case.PYTHON, case.SUPPORT / 'clients' / 'prefork.py', driver, own],
            own, lambda number: ask_plain(own, number),
            seen_at(drivers.PYTHON, driver), env)
    http = case.FOLDER / 'http.socket'
    run('gunicorn with psycopg2',
        ['/usr/bin/gunicorn', '--chdir', case.SUPPORT / 'clients', '-w',
         str(WORKERS), '--timeout', '200', '-b', f'unix:{http}',
         '--worker-tmp-dir', case.FOLDER,
         'page:application'], http, lambda number: ask_http(http, number),
        seen_at(drivers.PYTHON, 'psycopg2'), env)
    fpm = case.FOLDER / 'fpm.socket'
    (case.FOLDER / 'fpm.conf').write_text(
        f'[global]\nerror_log = {case.FOLDER}/fpm.log\n[www]\n'
        f'user = {pwd.getpwuid(os.getuid()).pw_name}\n'
        f'listen = {fpm}\npm = static\npm.max_children = {WORKERS}\n'
        'clear_env = no\n')
    for driver in 'mysqli', 'pgsql':
        run(f'php-fpm with {driver}',
            ['/usr/sbin/php-fpm8.2', '-F', '-R', '-y',
             case.FOLDER / 'fpm.conf'], fpm,
            lambda number: ask_fastcgi(fpm, driver, number),
            seen_at(drivers.PHP, driver), env)


case.main(test)
