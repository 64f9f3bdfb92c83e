#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The set wire-memcached with a real server: clients of Python, PHP and Perl,
meta commands, and the binary protocol; lines, tables and JSON. Values are not
shown.

NEEDS: memcached php perl
NEEDS: /usr/lib/python3/dist-packages/pymemcache/__init__.py
NEEDS: /usr/share/perl5/Cache/Memcached.pm /usr/lib/php/20220829/memcached.so
TIMEOUT: 180
"""
import json
import re
import socket

import case

LINE = re.compile(r'^(?:\d+ +)?\S+ (memcached ".*) <([0-9.]+)>$')
PARTS = re.compile(r' \((?:first [0-9.]+, )?(?:\d+ rows?, )?\d+ bytes?\)')
PROGRAMS = {'py': case.PYTHON, 'php': 'php', 'pl': 'perl'}
TOLD = {
    'wire_memcached.py': [
        'set a 0 0 3" = STORED', 'get a" = 1', 'get none" = 0',
        'set b 0 0 1" = STORED', 'set c 0 0 1" = STORED', 'get b c d" = 2',
        'add a 0 0 3" = NOT_STORED', 'incr b 40" = 42', 'delete c" = DELETED',
        'set quiet 0 0 1 noreply" = (no reply)', 'touch none 10" = NOT_FOUND',
        'version" = VERSION',
        'incr a 1" = -1 ERROR "CLIENT_ERROR cannot increment or decrement '
        'non-numeric value"'],
    'wire_memcached.php': [
        'set a 0 0 3" = STORED', 'get a" = 1', 'get none" = 0',
        'set b 0 0 1" = STORED', 'set c 0 0 1" = STORED', 'get b c d" = 2',
        'add a 0 0 3" = NOT_STORED', 'incr n 1" = NOT_FOUND',
        'delete c" = DELETED', 'quit" = (no reply)'],
    'wire_memcached_binary.php': [
        'set a" = OK', 'getkq a" = 1', 'noop" = OK', 'getkq none" = (no reply)',
        'noop" = OK', 'set b" = OK', 'set c" = OK', 'getkq b" = 1',
        'getkq c" = 1', 'getkq d" = (no reply)', 'noop" = OK',
        'add a" = EXISTS', 'incr n" = NOT_FOUND', 'incr b" = 42',
        'incr a" = -1 ERROR 6 "Non-numeric server-side value for incr or decr"',
        'delete c" = OK', 'touch none" = NOT_FOUND', 'quit" = (no reply)'],
    'wire_memcached.pl': [
        'set a 0 0 3" = STORED', 'get a" = 1', 'get none" = 0',
        'get a d" = 1', 'add a 0 0 3" = NOT_STORED', 'delete a" = DELETED'],
}


def ended(tracer):
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    return tracer


def rows_of(tracer):
    """Blanks within a command depend on the client."""
    lines = [LINE.match(line) for line in tracer.lines()]
    rows = [PARTS.sub('', line[1])[len('memcached "'):]
            for line in lines if line]
    return [re.sub(r' +', ' ', row).replace(' " =', '" =') for row in rows]


def check_clients(path):
    for name, wanted in TOLD.items():
        server = f'unix:{path}' if name.endswith('.py') else path
        command = [PROGRAMS[name.split('.')[1]], case.SUPPORT / name, server]
        status, out, _ = case.untraced(*command)
        case.equal(status, 0, f'{name} runs')
        tracer = ended(case.trace('-s', '200', '--set', 'wire-memcached',
                                  command=command))
        case.equal(rows_of(tracer), wanted, name)
        case.equal(tracer.child.out, out, f'output of {name}')


def check_tables(path):
    command = [case.PYTHON, case.SUPPORT / 'wire_memcached.py', f'unix:{path}']
    table = ended(case.trace('--set', 'wire-memcached', '--summary',
                             command=command)).path.read_text()
    for row in r' 4 .* set \?', r' 3 .* get \?', r' 1 .* version':
        case.true(re.search(row + '$', table, re.M), f'{row}: {table}')
    tracer = ended(case.trace('--set', 'wire-memcached', '--json',
                              command=command))
    calls = [call for call in map(json.loads, tracer.lines())
             if call.get('name') == 'memcached']
    case.equal([(call['arguments'][0]['value'].strip(),
                 call['result']['value']) for call in calls[:3]],
               [('set a 0 0 3', 'STORED'), ('get a', 1), ('get none', 0)],
               'JSON')
    case.true('one' not in tracer.path.read_text().replace('none', ''),
              'no value is shown')


META = """import socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect(sys.argv[1])
server.sendall(b'ms m 2 T60\\r\\nhi\\r\\nmg m v\\r\\nmg x v q k\\r\\n'
               b'mg m v q k\\r\\nmn\\r\\n')
got = b''
while not got.endswith(b'MN\\r\\n'):
    got += server.recv(4096)
print(got)
"""


def check_meta(path):
    """Quiet commands have no answer if nothing was found."""
    tracer = ended(case.trace('--set', 'wire-memcached', command=[
        case.PYTHON, '-c', META, path]))
    case.equal(rows_of(tracer), [
        'ms m 2 T60" = HD', 'mg m v" = 1', 'mg x v q k" = (no reply)',
        'mg m v q k" = 1', 'mn" = MN'], 'meta commands')


def answers(path):
    with socket.socket(socket.AF_UNIX) as client:
        try:
            client.connect(path)
            client.sendall(b'version\r\n')
            return client.recv(100).startswith(b'VERSION')
        except OSError:
            return False


def test():
    path = str(case.FOLDER / 'socket')
    server = case.start('memcached', '-s', path, '-u', 'root', '-t', '1')
    try:
        case.until(lambda: answers(path), 'memcached answers')
        check_meta(path)
        check_clients(path)
        check_tables(path)
    finally:
        server.signal(15)
        server.wait()


case.main(test)
