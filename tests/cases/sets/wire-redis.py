#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The set wire-redis with a real server: clients of Python, Ruby and PHP, which
have no function that a probe could name, and redis-cli. Commands and replies,
pipelines, channels; lines, tables and JSON. No password is shown.

NEEDS: redis-server redis-cli ruby php
NEEDS: /usr/lib/python3/dist-packages/redis/__init__.py
NEEDS: /usr/share/rubygems-integration/all/gems/redis-4.8.0/lib/redis.rb
NEEDS: /usr/lib/php/20220829/redis.so
TIMEOUT: 180
"""
import json
import re
import subprocess

import case

LINE = re.compile(r'^(?:\d+ +)?\S+ (redis ".*) <([0-9.]+)>$')
PARTS = re.compile(r' \((?:first [0-9.]+, )?(?:\d+ rows?, )?\d+ bytes?\)')
WRONG = 'WRONGTYPE Operation against a key holding the wrong kind of value'

COMMON = ['SET a 1" = OK', 'GET a" = string', 'GET none" = nil']
PIPE = ['SET key0 0" = OK', 'SET key1 1" = OK', 'SET key2 2" = OK']
FAILED = f'LPUSH a x" = -1 ERROR "{WRONG}"'
LIST = ["RPUSH list x 'a b'\" = 2", 'LRANGE list 0 -1" = array']
TOLD = {
    'wire_redis.py': [
        *COMMON, 'INCRBY a 1" = 2', *LIST, FAILED,
        'AUTH ?" = -1 ERROR "WRONGPASS invalid username-password pair or user '
        'is disabled."', *PIPE, 'GET key2" = string',
        'SUBSCRIBE news sports" = array', 'PUBLISH news hello" = 1',
        'UNSUBSCRIBE news sports" = array', 'DEL a list" = 2'],
    'wire_redis.php': [*COMMON, *LIST, FAILED, *PIPE, 'DEL a list" = 2'],
}

# Ruby's client writes commands in lower case.
TOLD['wire_redis.rb'] = [row.split()[0].lower() + row[row.index(' '):]
                         for row in TOLD['wire_redis.php']]


def client(path, name):
    program = {'py': case.PYTHON, 'rb': 'ruby', 'php': 'php'}
    return [program[name.split('.')[1]], case.SUPPORT / name, path]


def ended(tracer):
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    return tracer


def told(tracer):
    lines = [LINE.match(line) for line in ended(tracer).lines()]
    return [PARTS.sub('', line[1])[len('redis "'):] for line in lines if line]


def check_lines(path):
    for name, wanted in TOLD.items():
        status, out, _ = case.untraced(*client(path, name))
        case.equal(status, 0, f'{name} runs')
        tracer = case.trace('-s', '200', '--set', 'wire-redis',
                            command=client(path, name))
        case.equal(told(tracer), wanted, name)
        case.equal(tracer.child.out, out, f'output of {name}')


def check_cli(path):
    """redis-cli, whose calls of hiredis the set does not trace: RESP 3, an
    inline command, and a command that waits."""
    for words, wanted in (
            (['GET', 'a'], ['GET a" = nil']),
            (['-3', 'HGETALL', 'a'], ['HELLO 3" = map', 'HGETALL a" = map']),
            (['BLPOP', 'none', '0.2'], ['BLPOP none 0.2" = nil']),
            (['-a', 'secret', 'PING'],
             ['AUTH ?" = -1 ERROR "ERR AUTH ', 'PING" = PONG'])):
        tracer = case.trace('-s', '200', '--set', 'wire-redis', command=[
            'redis-cli', '--no-auth-warning', '-s', path, *words])
        rows = [row[:len(want)] for row, want in zip(told(tracer), wanted)]
        case.equal(rows, wanted, words)
        case.true('secret' not in tracer.path.read_text(), 'no password')
    took = [LINE.match(line) for line in case_lines(path)]
    case.true(float(took[0][2]) >= 0.195, f'what waits takes its time: {took}')


def case_lines(path):
    tracer = case.trace('--set', 'wire-redis', command=[
        'redis-cli', '-s', path, 'BLPOP', 'none', '0.2'])
    return [line for line in ended(tracer).lines() if LINE.match(line)]


def check_tables(path):
    command = client(path, 'wire_redis.py')
    table = ended(case.trace('--set', 'wire-redis', '--summary',
                             command=command)).path.read_text()
    for row in (r' 4 .* SET \?', r' 3 .* GET \?', r' 1 .* LRANGE \?',
                r' 1 .* AUTH \?'):
        case.true(re.search(row + '$', table, re.M), f'{row}: {table}')
    case.true('secret' not in table, 'no password in the table')
    tracer = ended(case.trace('--set', 'wire-redis', '--json', '-w', '1',
                              command=command))
    text = tracer.path.read_text()
    case.true('secret' not in text, 'no password in JSON')
    events = [json.loads(line) for line in text.splitlines()]
    calls = [event for event in events if event.get('name') == 'redis']
    case.equal([call['arguments'][0]['value'] for call in calls[:3]],
               ['SET a 1', 'GET a', 'GET none'], 'texts in JSON')
    case.equal([call['result']['value'] for call in calls[:4]],
               ['OK', 'string', 'nil', 2], 'replies in JSON')
    case.true(all('wire_redis.py' in str(call.get('frames'))
                  for call in calls[:3]), f'lines that ask: {calls[:3]}')


def check_attached(path):
    """A client that is older than the trace."""
    subject = case.start('redis-cli', '-s', path)
    case.until(lambda: len(subprocess.run(
        ['redis-cli', '-s', path, 'CLIENT', 'LIST'], capture_output=True,
        text=True, check=True).stdout.splitlines()) > 1, 'it is connected')
    tracer = case.attach(subject, '--set', 'wire-redis')
    subject.say('SET b 1')
    subject.wait_for('OK')
    subject.say('QUIT')
    case.finish(subject)
    case.equal([row for row in told(tracer) if 'b 1' in row],
               ['SET b 1" = OK'], 'attached to')


def check_grammar():
    """A mistake in the name of the protocol behind `wire` has a caret."""
    conf = case.FOLDER / 'own.conf'
    for line, caret in ('wire rediss;', '     ^'), ('wire redis,;', '           ^'):
        conf.write_text(f'set "own";\n{line}\n')
        status, _, says = case.untraced(case.XTRACE, '--check-config', conf)
        case.equal(status, 1, f'status of {line}')
        case.true(f'own.conf:2:{len(caret)}: expected redis' in says and
                  f'  {line}\n  {caret}\n' in says, f'says: {says}')


def test():
    path = str(case.FOLDER / 'socket')
    check_grammar()
    server = case.start('redis-server', '--port', '0', '--unixsocket', path,
                        '--save', '', '--appendonly', 'no')
    try:
        case.until(lambda: subprocess.run(
            ['redis-cli', '-s', path, 'PING'], capture_output=True,
            check=False).stdout == b'PONG\n', 'redis-server answers')
        check_cli(path)
        check_lines(path)
        check_tables(path)
        check_attached(path)
    finally:
        server.signal(15)
        server.wait()


case.main(test)
