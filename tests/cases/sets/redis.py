#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The set redis with a real server: redis-cli, which contains hiredis, started
by xtrace and attached to; and a client that is linked with the library. Texts
that may be passwords are shown with --bind only.

NEEDS: redis-server redis-cli
TIMEOUT: 180
"""
import re
import subprocess

import case

LINE = re.compile(r'^(?:\d+ +)?\S+ (redis.*) <([0-9.]+)>$')


def told(tracer):
    tracer.wait(0)
    case.equal(tracer.says(), [], 'what xtrace says')
    found = [LINE.match(line) for line in tracer.lines()]
    return [(row[1], float(row[2])) for row in found if row]


def check(path):
    append = 'redisAppendCommandArgv '
    asked = [('SET a 1', '["SET", "a", "1"] = REDIS_REPLY_STATUS'),
             ('LPUSH a 2', '["LPUSH", "a", "2"] = REDIS_REPLY_ERROR'),
             ('BLPOP none 0.2', '["BLPOP", "none", "0.2"] = REDIS_REPLY_NIL')]
    for words, line in asked:
        rows = told(case.trace('--set', 'redis', command=[
            'redis-cli', '-s', path, *words.split()]))
        case.equal([row[0] for row in rows], [append + line], words)
    # The server measures in milliseconds, so a wait of 0.2 s may be a bit
    # shorter.
    case.true(rows[0][1] >= 0.195, f'what waits takes its time: {rows[0][1]}')
    client = case.start('redis-cli', '-s', path)
    case.until(lambda: client_ready(client, path), 'redis-cli is connected')
    tracer = case.attach(client, '--set', 'redis')
    client.say('GET a')
    client.wait_for('1')
    client.say('QUIT')
    case.finish(client)
    rows = told(tracer)
    case.true((append + '["GET", "a"] = REDIS_REPLY_STRING') in
              [row[0] for row in rows], f'attached to: {rows}')
    program = case.build('redis_client.c')
    rows = told(case.trace('--set', 'redis', command=[program, path]))
    case.equal([row[0] for row in rows], [
        'redisCommand "SET %s %d" = REDIS_REPLY_STATUS',
        'redisCommand "SELEKT" = REDIS_REPLY_ERROR',
        'redisAppendCommand "INCR %s" = REDIS_REPLY_INTEGER',
        'redisAppendCommand "TYPE n" = REDIS_REPLY_STATUS',
        'redisCommand "AUTH %s" = REDIS_REPLY_ERROR',
        'redisCommand "(may have a password)" = REDIS_REPLY_ERROR',
        'redisCommandArgv "aUtH" = REDIS_REPLY_ERROR',
        'redisAppendFormattedCommand "(may have a password)" = '
        'REDIS_REPLY_ERROR',
        r'redisAppendFormattedCommand "*1\r\n$4\r\nPING\r\n" = '
        'REDIS_REPLY_STATUS'], 'libhiredis')


def check_secret(path):
    """AUTH and similar commands, whatever their spelling is."""
    program = case.build('redis_client.c')
    for words in (['AUTH', 'secret'], ['auth', 'who', 'secret'],
                  ['HELLO', '3', 'AUTH', 'who', 'secret'],
                  ['CONFIG', 'SET', 'masterauth', 'secret'],
                  ['ACL', 'SETUSER', 'who', '>secret']):
        tracer = case.trace('--set', 'redis', command=[
            'redis-cli', '-s', path, *words])
        case.equal([row[0].split(' = ')[0] for row in told(tracer)],
                   [f'redisAppendCommandArgv "{words[0]}"'], words)
    for command in [program, path], ['redis-cli', '-s', path, 'AUTH', 'secret']:
        for options in ['--json'], ['--summary']:
            tracer = case.trace('--set', 'redis', *options, command=command)
            tracer.wait(0)
            case.true('secret' not in tracer.path.read_text(),
                      f'{command}, {options}: no secret in the trace')
        rows = told(case.trace('--set', 'redis', '--bind', command=command))
        case.true(any('"secret"' in row[0] for row in rows),
                  f'{command}: with --bind: {rows}')


def client_ready(client, path):
    """True if the traced redis-cli is connected, besides the redis-cli started
    here. redis-cli gets the server's commands before it reads its input."""
    done = subprocess.run(['redis-cli', '-s', path, 'CLIENT', 'LIST'],
                          capture_output=True, text=True, check=True)
    return len(done.stdout.splitlines()) > 1


def test():
    path = str(case.FOLDER / 'socket')
    server = case.start('redis-server', '--port', '0', '--unixsocket', path,
                        '--save', '', '--appendonly', 'no')
    try:
        case.until(lambda: subprocess.run(
            ['redis-cli', '-s', path, 'PING'], capture_output=True,
            check=False).stdout == b'PONG\n', 'redis-server answers')
        check(path)
        check_secret(path)
    finally:
        server.signal(15)
        server.wait()


case.main(test)
