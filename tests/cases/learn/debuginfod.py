#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Debug information is fetched from a debuginfod server if DEBUGINFOD_URLS is
set, and used once it is there; no call waits for it. A server that does not
answer does not keep xtrace from leaving.

NEEDS: plain debuginfod objcopy
TIMEOUT: 120
"""
import os
import re
import socket
import subprocess
import urllib.request

import case

TRIES = 5
ANSWER = 5  # seconds for an answer, then the server is asked again


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def build():
    """A stripped program, and its debug file in a folder for the server."""
    program = case.build('asked_subject.c')
    served = case.FOLDER / 'served'
    served.mkdir()
    for command in (['--only-keep-debug', program, served / 't.debug'],
                    ['--strip-debug', program]):
        subprocess.run(['objcopy', *command], check=True)
    return program


def has_it(url, build_id):
    try:
        with urllib.request.urlopen(f'{url}/buildid/{build_id}/debuginfo',
                                    timeout=ANSWER) as answer:
            return answer.status == 200
    except OSError:
        return False


def serve(program):
    notes = subprocess.run(['readelf', '-n', program], capture_output=True,
                           text=True, check=True).stdout
    build_id = re.search(r'Build ID: (\w+)', notes)[1]
    # Another process may take a free port first. The server then ends.
    for _ in range(TRIES):
        port = free_port()
        server = case.start('debuginfod', '-d', ':memory:', '-p', port, '-F',
                            case.FOLDER / 'served',
                            env={'DEBUGINFOD_URLS': ''})
        url = f'http://127.0.0.1:{port}'
        case.until(lambda: has_it(url, build_id) or not server.alive(),
                   'the server has the debug file')
        if server.alive():
            return server, url
    return case.fail(f'{TRIES} servers have ended: {server.err}')


def begin(program, url):
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '--names', '-x', 'f', env={
        'DEBUGINFOD_URLS': url,
        'DEBUGINFOD_CACHE_PATH': str(case.FOLDER / 'cache')})
    return subject, tracer


def trace(program, url, until):
    subject, tracer = begin(program, url)

    def one_more():
        subject.say('call')
        return until(tracer.calls())

    case.until(one_more, 'the calls are shown as expected')
    subject.say('stop')
    case.finish(subject)
    tracer.wait(0)
    return tracer


def test():
    program = build()
    server, url = serve(program)
    tracer = trace(program, url, lambda calls: calls and 'text="text"' in
                   calls[-1])
    calls = tracer.calls()
    case.same(calls[:1], ['f(%hex, 1, %any) = 1'],
              'the first call does not wait')
    case.same(calls[-1:], ['f(text="text", n=1) = 1'], 'the last call')
    case.equal(tracer.says(), [], 'what xtrace says')
    server.signal(15)
    server.wait()
    # A server that accepts and never answers.
    with socket.socket() as silent:
        silent.bind(('127.0.0.1', 0))
        silent.listen()
        other = f'http://127.0.0.1:{silent.getsockname()[1]}'
        os.environ.pop('DEBUGINFOD_TIMEOUT', None)
        subprocess.run(['rm', '-rf', case.FOLDER / 'cache'], check=True)
        tracer = trace(program, other, lambda calls: len(calls) > 3)
        case.true(all('text=' not in call for call in tracer.calls()),
                  'guessed')


case.main(test)
