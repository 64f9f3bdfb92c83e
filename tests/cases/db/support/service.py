# SPDX-License-Identifier: GPL-2.0-or-later
"""A web service under load, to which xtrace attaches in the middle.

A page of services/ answers GET /WORD/NUMBER with the titles of three books,
which it gets by its library with one query each; WORD is in the text of the
query. With ?sleep=SQL it makes this query too, and measures it. The answer is
[[TITLE, TITLE, TITLE], SECONDS].

The database servers are the case's own, because they log each query. Checked is

 - that each answer is right: before, while xtrace attaches and traces, after
   ^C, and after a SIGKILL of xtrace;
 - that as many queries of the counted requests are in the trace as in the
   server's log, that each is one whole line and names the page's line;
 - the time of each query that sleeps (tests/lib/durations.py);
 - that at most 2 of 100 lines have no text.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import urllib.parse

import case
import durations
import servers

CLIENTS = 3
REQUESTS = 40  # counted requests of each service
SLOW = 4  # counted requests that sleep
SLEEP = 0.15
UNKNOWN_MOST = 0.02
ROWS = ', '.join(f"({i}, 'title {i}')" for i in range(1, 60))
TABLE = ('CREATE TABLE book (id INT PRIMARY KEY, title VARCHAR(40)); '
         f'INSERT INTO book VALUES {ROWS}')


class MariaDB(servers.MariaDB):
    sleep = 'SELECT SLEEP({}), {}'

    def command(self):
        return [*super().command(), '--general-log=1',
                f'--general-log-file={self.folder}/queries.log']

    def fill(self):
        super().fill()
        subprocess.run(self.client('xtrace', '-e', TABLE), check=True,
                       env=self.env(), capture_output=True)

    def made(self, word):
        """The number of queries that were executed with this word."""
        log = (self.folder / 'queries.log').read_text(errors='replace')
        entries = re.split(r'(?m)^(?:\d{6} [ \d:]+)?\t+ *\d+ (?=[A-Z])', log)
        return len([entry for entry in entries if f"'{word}' = '{word}'" in
                    entry and entry.startswith(('Query', 'Execute'))])


class PostgreSQL(servers.PostgreSQL):
    sleep = 'SELECT pg_sleep({}), {}'

    def command(self):
        return [*super().command(), '-c', 'log_statement=all', '-c',
                'log_min_messages=log']

    def fill(self):
        subprocess.run([*self.probe()[:-3], '-c', TABLE, 'postgres'],
                       check=True, env=self.env(), capture_output=True)

    def made(self, word):
        log = (self.folder / 'server.log').read_text(errors='replace')
        return log.count(f"'{word}' = '{word}'")


def started(kind):
    server = kind(case.FOLDER / 'servers', case.TESTS.parent / 'build' /
                  'tests' / 'servers')
    env = server.start()
    return server, env


def line_of(page, mark):
    lines = page.read_text().splitlines()
    return [at for at, line in enumerate(lines, 1) if mark in line][0]


class Service:
    """page: a file of services/; command: a function of the page and of the
    path of a socket."""
    count = 0

    def __init__(self, name, page, server, env, command):
        Service.count += 1
        self.name = name
        self.page = case.SUPPORT / 'services' / page
        self.server = server
        self.path = case.FOLDER / f'http.{Service.count}'
        self.master = case.start(*command(self.page, self.path), env=env)
        self.over = threading.Event()
        self.number = 0
        self.lock = threading.Lock()
        case.until(self.serves, f'{name} serves')
        self.made = server.made('counted')  # queries of earlier services

    def answer(self, target):
        with socket.socket(socket.AF_UNIX) as near:
            near.settimeout(case.LIMIT)
            near.connect(str(self.path))
            near.sendall(f'GET {target} HTTP/1.0\r\nHost: it\r\n\r\n'.encode())
            parts = iter(lambda: near.recv(65536), b'')
            return b''.join(parts).partition(b'\r\n\r\n')

    def serves(self):
        try:
            return b' 200 ' in self.answer('/first/1')[0]
        except OSError:
            return False

    def get(self, word, sql=None):
        """One request; returns the seconds that its slow query took."""
        with self.lock:
            self.number += 1
            book = self.number % 50 + 1
        target = f'/{word}/{book}'
        if sql:
            target += '?' + urllib.parse.urlencode({'sleep': sql})
        head, _, body = self.answer(target)
        if b' 200 ' not in head.split(b'\r\n')[0]:
            case.fail(f'{self.name}: {target}: {head[:200]} {body[-800:]}',
                      self.master.err[-2000:])
        titles, took = json.loads(body)
        case.equal(titles, [f'title {book + i}' for i in range(3)],
                   f'{self.name}: the answer to {target}')
        return took

    def ask(self, word, count, slow=0):
        """Sends requests from several clients. Returns the slow queries and
        the seconds that the page measured."""
        sleeps = [self.server.sleep.format(SLEEP, f"'{word} {i}'")
                  for i in range(slow)]
        queries = [None] * (count - slow)
        for at, sql in enumerate(sleeps):
            queries.insert(at * len(queries) // slow, sql)
        with concurrent.futures.ThreadPoolExecutor(CLIENTS) as pool:
            took = list(pool.map(lambda sql: self.get(word, sql), queries))
        return [(sql, took) for sql, took in zip(queries, took) if sql]

    def keep_asking(self):
        """A load that lasts until rest() ends it."""
        pool = concurrent.futures.ThreadPoolExecutor(CLIENTS)

        def work():
            while not self.over.is_set():
                self.get('load')
        self.load = [pool.submit(work) for _ in range(CLIENTS)]
        pool.shutdown(wait=False)

    def rest(self):
        self.over.set()
        for one in self.load:
            one.result()
        self.over.clear()

    def end(self, stop):
        os.kill(self.master.pid, stop)
        self.master.wait()


def calls(path):
    text = path.read_text() if path.exists() else ''
    return [row for row in map(json.loads, text.split('\n')[:-1])
            if row['event'] == 'call']


def text_of(row):
    text = row['arguments'][0].get('value') if row['arguments'] else None
    return text if isinstance(text, str) else None


def check_where(service, rows, mark):
    wanted = service.page.name, line_of(service.page, mark)
    found = {(pathlib.Path(row['frames'][0]['file']).name,
              row['frames'][0]['line']) for row in rows}
    case.equal(found, {wanted}, f'{service.name}: the line of {mark}')


def check_times(service, rows, slow):
    for sql, took in slow:
        found = [row for row in rows if text_of(row) == sql]
        case.equal(len(found), 1, f'{service.name}: {sql}')
        what = f'{service.name}: {sql}'
        durations.check(what, found[0]['wall'], took, SLEEP)
        durations.check(what, found[0]['duration'], took,
                        SLEEP - found[0]['uncertainty'])


def check_lines(service, lines, rows):
    broken = [line for line in lines if 'resumed>' in line or
              '<unfinished' in line and not line.endswith('+>')]
    case.equal(broken[:3], [], f'{service.name}: broken lines')
    whole = [line for line in lines if "'counted" in line]
    case.equal(len(whole), len(rows), f'{service.name}: whole lines')
    case.true(all(re.search(r' <\d+\.\d+>$', line) for line in whole),
              f'{service.name}: each has its time')


def check(service, slow, tracer, path):
    rows = calls(path)
    books = [row for row in rows if "'counted' = 'counted'" in
             (text_of(row) or '')]
    slept = [row for row in rows if "'counted " in (text_of(row) or '')]
    unknown = [row for row in rows if text_of(row) is None]
    case.equal(len(books), service.server.made('counted') - service.made,
               f'{service.name}: queries, and queries in the log')
    case.equal(len(books), 3 * REQUESTS, f'{service.name}: queries')
    case.true(len(unknown) <= UNKNOWN_MOST * len(rows),
              f'{service.name}: {len(unknown)} of {len(rows)} lines have no '
              f'text: {unknown[:2]}')
    check_times(service, slept, slow)
    check_where(service, books, 'ORM-LINE')
    check_where(service, slept, 'SLOW-LINE')
    check_lines(service, tracer.lines(), books + slept)
    print(f'{service.name}: {len(rows)} lines, {len(unknown)} without text')


def attach(service, workers, name):
    path = case.FOLDER / f'{service.name.replace(" ", "-")}.{name}.json'
    # case.attach() waits until the program is at rest, and so cannot be used
    # for a service under load.
    tracer = case.trace('-f', '--sql', '-s', '2000', '-w1', f'--json={path}',
                        '-p', str(service.master.pid))
    case.until(lambda: len({row['pid'] for row in calls(path)}) >= workers,
               f'{service.name}: each worker is traced')
    return tracer, path


def run(name, page, server, env, command, workers, stop=signal.SIGTERM):
    service = Service(name, page, server, env, command)
    service.ask('warm', 20)
    service.keep_asking()
    tracer, path = attach(service, workers, 'one')
    slow = service.ask('counted', REQUESTS, SLOW)
    tracer.leave()
    service.ask('after', 10)
    check(service, slow, tracer, path)
    tracer, _ = attach(service, workers, 'two')
    tracer.send(signal.SIGKILL)
    tracer.wait()
    service.ask('killed', 10)
    service.rest()
    service.end(stop)
