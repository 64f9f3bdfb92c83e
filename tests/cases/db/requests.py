#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--requests: xtrace is attached to servers that are answering requests. Each
request of a page is counted with its queries, the query that one request makes
several times is named with its line, each query in JSON has its request, and
each answer is right. --group-by request has the same sums.

NEEDS: gunicorn puma starman /usr/sbin/php-fpm8.2 root
NEEDS: /usr/lib/python3/dist-packages/django
TIMEOUT: 120
"""
import json
import re
import signal
import socket
import sqlite3

import case
import fastcgi
import jsonschema

AUTHORS = 11
ASKED = 4
SERVED = case.SUPPORT / 'served'
SOCKET = case.FOLDER / 'socket'
BASE = case.FOLDER / 'base.db'
FPM = case.FOLDER / 'fpm.conf'
SERVERS = {
    'gunicorn': (['/usr/bin/gunicorn', '--chdir', SERVED, '-w', '2',
                  '--worker-tmp-dir', case.FOLDER, '-b', f'unix:{SOCKET}',
                  'books:application'], 'book', r'books\.py:\d+ in authors'),
    'puma': (['/usr/bin/puma', '-b', f'unix://{SOCKET}', '-t', '2:2',
              SERVED / 'books.ru'], 'book',
             r'books\.ru:\d+ in .*authors'),
    'starman': (['/usr/bin/starman', '--workers', '2', '--listen', SOCKET,
                 SERVED / 'books.psgi'], 'book', r'books\.psgi:\d+ in .*books'),
    'php-fpm': (['/usr/sbin/php-fpm8.2', '-F', '-R', '-y', FPM], 'book',
                r'books\.php:\d+ in books'),
}


def fill():
    base = sqlite3.connect(BASE)
    base.execute('CREATE TABLE author(id INTEGER PRIMARY KEY, name TEXT)')
    base.execute('CREATE TABLE book(id INTEGER PRIMARY KEY, author_id INTEGER,'
                 ' title TEXT)')
    for number in range(1, AUTHORS + 1):
        base.execute('INSERT INTO author VALUES(?, ?)', (number, f'a{number}'))
        base.execute('INSERT INTO book VALUES(?, ?, ?)',
                     (number, number, f't{number}'))
    base.commit()
    base.close()
    FPM.write_text(f'[global]\nerror_log = {case.FOLDER}/fpm.log\n[www]\n'
                   f'user = root\nlisten = {SOCKET}\npm = static\n'
                   'pm.max_children = 2\nclear_env = no\n')


def ask(name, path):
    """The answer's body."""
    with socket.socket(socket.AF_UNIX) as near:
        near.settimeout(case.LIMIT)
        near.connect(str(SOCKET))
        if name == 'php-fpm':
            near.sendall(fastcgi.get(SERVED / 'books.php', uri=path))
        else:
            near.sendall(f'GET {path} HTTP/1.0\r\nHost: x\r\n\r\n'.encode())
        parts = []
        while parts[-1:] != [b'']:
            parts.append(near.recv(65536))
        answer = b''.join(parts)
    if name == 'php-fpm':
        answer = fastcgi.output(answer)
    return answer.partition(b'\r\n\r\n')[2].decode().strip()


def answers(name):
    try:
        return ask(name, '/book/1') == 't1'
    except OSError:
        return False


def ask_all(name):
    want = [f'a{number}: t{number}' for number in range(1, AUTHORS + 1)]
    for number in range(1, ASKED + 1):
        case.equal(ask(name, '/authors').splitlines(), want, f'{name}: page')
        case.equal(ask(name, f'/book/{number}?token=secret'), f't{number}',
                   f'{name}: one book')


def check_table(name, table, pattern):
    """Columns: requests, mean, database, share, queries, errors, rows; none of
    these programs connects to a server."""
    rows = {line.split(' GET ')[1]: line.split() for line in table
            if ' GET ' in line}
    case.equal({path: int(row[0]) for path, row in rows.items()},
               {'/authors': ASKED, '/book/*': ASKED}, f'{name}: requests')
    case.true(int(rows['/authors'][4]) >= ASKED * (AUTHORS + 1),
              f'{name}: queries of {rows["/authors"]}')
    for row in rows.values():
        case.true(0 < float(row[3].rstrip('%')) <= 100, f'{name}: {row}')
    repeats = [line for line in table if line.startswith('    x ')]
    case.true(any(re.match(rf'    x {AUTHORS}  select .*from "?book"? where '
                           rf'.*author_id"? = \? at \S*{pattern}', line)
                  for line in repeats), f'{name}: N+1 in {repeats}')
    case.true(not any('secret' in line for line in table), 'no query string')


def of(row, requests):
    """The query's request. If a thread of Puma has received the request for
    another thread, the thread that has answered tells which request it was."""
    if 'request' in row:
        return requests.get(row['request'], {})
    return next((request for request in requests.values()
                 if request['tid'] == row['tid'] and request['time'] <=
                 row['time'] <= request['time'] + request['wall']), {})


def check_json(name, path):
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    requests = {row['request']: row for row in rows
                if row['event'] == 'request'}
    case.equal(sorted(row['path'] for row in requests.values()),
               sorted(['/authors'] * ASKED +
                      [f'/book/{n}' for n in range(1, ASKED + 1)]),
               f'{name}: requests in JSON')
    asked = [row for row in rows if row['event'] == 'call' and
             'author_id' in row['arguments'][0]['value'] and
             of(row, requests).get('path') == '/authors']
    case.equal(len(asked), ASKED * AUTHORS, f'{name}: queries of requests')
    case.true(name == 'puma' or all('request' in row for row in asked),
              f'{name}: each query has a request')
    schema = jsonschema.Draft202012Validator(json.loads(
        (case.TESTS.parent / 'docs' / 'json-schema.json').read_text()))
    for row in rows:
        schema.validate(row)
    for row in asked:
        request = of(row, requests)
        case.equal(row['pid'], request['pid'], f'{name}: the process')
        case.true(request['time'] <= row['time'] and
                  row['time'] + row['wall'] <=
                  request['time'] + request['wall'] + 1e-4,
                  f'{name}: {row["time"]} is within {request}')


def run(name):
    command, _, pattern = SERVERS[name]
    server = case.start(*command, env={'BASE': str(BASE)})
    case.until(lambda: answers(name), f'{name} serves', case.LIMIT)
    for options in (['--requests', '--json=out.json'],
                    ['--summary', '--group-by', 'request',
                     '--query-strings']):
        tracer = case.attach(server, *options, '-f')
        ask_all(name)
        tracer.leave()
        case.equal(answers(name), True, f'{name} serves after the trace')
        if options[0] == '--requests':
            check_table(name, tracer.lines(), pattern)
            check_json(name, case.FOLDER / 'out.json')
        else:
            names = [line.split('  ')[-1] for line in tracer.lines()]
            case.true({'GET /authors', 'GET /book/*?token=secret'} <= set(names),
                      f'{name}: groups in {names}')
    tracer = case.attach(server, '--requests', '-f')
    tracer.send(signal.SIGKILL)
    tracer.wait()
    # The workers wait in calls that xtrace may interrupt, so they have its
    # handler. A master may have waited in a call that xtrace must not
    # interrupt (epoll_wait with a time limit). Behind that call is a tripwire,
    # which only the watcher removes (docs/SURVIVAL.md).
    case.true(all(answers(name) for _ in range(4)),
              f'{name} serves after xtrace was killed')
    case.until(lambda: not case.text_changes(server.pid),
               f'{name}: the watcher has removed the traps')
    server.signal(signal.SIGTERM)
    # The status tells that the master itself has ended its workers.
    case.equal(server.wait(), 143 if name == 'puma' else 0, f'end of {name}')
    SOCKET.unlink(missing_ok=True)


def test():
    fill()
    for name in SERVERS:
        run(name)


case.main(test)
