#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The sets http, tls, files and alloc with real programs: curl, with a server
that the test runs, and Python.

NEEDS: curl openssl
TIMEOUT: 120
"""
import http.server
import re
import ssl
import subprocess
import threading

import case

FILES = '''
import os, sys
place = sys.argv[1]
open(place + '/a', 'w').close()
os.rename(place + '/a', place + '/b')
os.mkdir(place + '/c')
try:
    open(place + '/d/e')
except OSError as fault:
    print(fault)
os.rmdir(place + '/c')
os.unlink(place + '/b')
'''


class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.send_header('Content-Length', '6')
        self.end_headers()
        self.wfile.write(b'hello\n')

    def log_message(self, *_):
        pass


def serve(context=None):
    server = http.server.HTTPServer(('127.0.0.1', 0), Handler)
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def traced(name, *command, status=0):
    tracer = case.trace('--set', name, '-b', command=command)
    tracer.wait(status)
    case.equal(tracer.says(), [], f'what xtrace says of {name}')
    return tracer


def stripped(tracer):
    """The calls of these functions, without the times."""
    return [re.sub(r'^\S+ (.*) <[0-9.]+>$', r'\1', line)
            for line in tracer.lines()]


def test_http():
    server = serve()
    url = f'http://127.0.0.1:{server.server_port}/who'
    tracer = traced('http', 'curl', '-s', url)
    case.equal(tracer.child.out, 'hello\n', 'what curl wrote')
    case.equal(stripped(tracer)[:-1],
               [f'curl_easy_perform "{url}" = CURLE_OK'], 'the transfer')
    server.shutdown()
    server.server_close()
    tracer = traced('http', 'curl', '-s', url, status=7)
    case.equal(stripped(tracer)[:-1],
               [f'curl_easy_perform "{url}" = CURLE_COULDNT_CONNECT'],
               'the transfer that fails')


def test_tls():
    key, certificate = case.FOLDER / 'key', case.FOLDER / 'certificate'
    subprocess.run(['openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes',
                    '-days', '2', '-subj', '/CN=localhost', '-keyout', key,
                    '-out', certificate], check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    server = serve(context)
    tracer = traced('tls', 'curl', '-sk', '--http1.1',
                    f'https://127.0.0.1:{server.server_port}/secret')
    server.shutdown()
    server.server_close()
    case.equal(tracer.child.out, 'hello\n', 'what curl wrote')
    lines = stripped(tracer)
    case.true(any(re.match(r'SSL_connect 0x[0-9a-f]+ = 1$', line)
                  for line in lines), f'a handshake: {lines}')
    case.true(any(line.startswith(r'SSL_write "GET /secret HTTP/1.1\r\n')
                  for line in lines), f'the question: {lines}')
    case.true(any(line.startswith('SSL_read "') and r'hello\n' in line
                  for line in lines), f'the answer: {lines}')


def test_files():
    place = case.FOLDER / 'place'
    place.mkdir()
    tracer = traced('files', case.PYTHON, '-c', FILES, place)
    lines = [re.sub(r'= \d+$', '= N', line).replace(str(place), 'PLACE')
             for line in stripped(tracer) if str(place) in line]
    case.equal(lines, [
        'open "PLACE/a" = N', 'rename "PLACE/a" "PLACE/b" = N',
        'mkdir "PLACE/c" = N',
        'open "PLACE/d/e" = -1 ENOENT (No such file or directory)',
        'rmdir "PLACE/c" = N', 'unlink "PLACE/b" = N'], 'files')


def test_alloc():
    tracer = traced('alloc', case.PYTHON, '-c', 'x = b"y" * 12345678')
    lines = stripped(tracer)
    found = [line for line in lines
             if re.match(r'(malloc|calloc 1,?) 123457\d\d = ', line)]
    case.equal(len(found), 1, f'the large one among {len(lines)}')
    place = found[0].split()[-1]
    case.true(f'free {place} = <void>' in lines, f'{found}: given back')


def test_list():
    run = case.start(case.XTRACE, '--set', 'help')
    case.equal(run.wait(), 0, run.err)
    names = [line.split()[0] for line in run.out.splitlines()]
    shown = {'alloc', 'connections', 'files', 'http', 'locks', 'php',
             'redis', 'sql', 'tls'}
    case.equal(sorted(shown - set(names)),
               [], f'sets that are missing among {names}')


def test():
    test_list()
    test_http()
    test_tls()
    test_files()
    test_alloc()


case.main(test)
