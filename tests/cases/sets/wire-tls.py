#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The sets wire-redis and wire-http on encrypted connections: what is sent is
read where libssl gets it. Clients of Redis in Python, Ruby, PHP and C with a
real server, a client that is older than the trace; clients of HTTP, and a
server in Python.

NEEDS: redis-server redis-cli ruby php curl openssl
NEEDS: /usr/lib/python3/dist-packages/redis/__init__.py
NEEDS: /usr/share/rubygems-integration/all/gems/redis-4.8.0/lib/redis.rb
NEEDS: /usr/lib/php/20220829/redis.so
TIMEOUT: 180
"""
import re
import signal
import socket
import subprocess

import case
from servers import certificate

LINE = re.compile(r'^(?:\d+ +)?\S+ \w+ "(.*) <[0-9.]+>$')
PARTS = re.compile(r' \((?:first [0-9.]+, )?\d+ bytes?\)')
CERTIFICATE = case.FOLDER / 'cert.pem'
COMMANDS = ['SET a 1" = OK', 'GET a" = string', 'SET b 2" = OK',
            'GET b" = string']
SERVER = """import http.server, ssl, sys
class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *_):
        pass
    def do_GET(self):
        self.send_response(200 if 'book' in self.path else 404)
        self.send_header('Content-Length', '5')
        self.end_headers()
        self.wfile.write(b'hello')
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Page)
server.daemon_threads = True
context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain('cert.pem', 'key.pem')
server.socket = context.wrap_socket(server.socket, server_side=True)
print(f'port {server.server_address[1]}', flush=True)
server.serve_forever()
"""
FETCH = """import ssl, sys, urllib.request
context = ssl.create_default_context(cafile=sys.argv[2])
print(urllib.request.urlopen(sys.argv[1], context=context).read())
"""


def told(tracer):
    lines = [LINE.match(line) for line in tracer.lines()]
    return [PARTS.sub('', line[1]) for line in lines if line]


def check(name, command, wanted):
    """Checks the lines of the set; the program's output is as untraced."""
    status, out, _ = case.untraced(*command)
    case.equal(status, 0, f'{command[0]} runs')
    tracer = case.trace('-s', '200', '--set', name, command=command)
    tracer.wait(0)
    case.equal(tracer.says(), [], f'what xtrace says of {command[0]}')
    case.equal(told(tracer), wanted, f'{name} of {command[0]}')
    case.equal(tracer.child.out, out, f'output of {command[0]}')


def check_redis(port):
    rows = {'py': COMMANDS, 'php': COMMANDS, 'rb': [
        row.split()[0].lower() + row[row.index(' '):] for row in COMMANDS]}
    program = {'py': '/usr/bin/python3', 'rb': 'ruby', 'php': 'php'}
    for kind, wanted in rows.items():
        check('wire-redis', [program[kind], case.SUPPORT /
                             f'wire_tls_redis.{kind}', str(port), CERTIFICATE],
              wanted)
    check('wire-redis', ['redis-cli', '-p', str(port), '--tls', '--cacert',
                         CERTIFICATE, 'GET', 'b'], COMMANDS[3:])


def check_attached(port):
    subject = case.start('/usr/bin/python3', case.SUPPORT / 'wire_tls_redis.py',
                         str(port), CERTIFICATE)
    subject.wait_for("[True, '2']")
    tracer = case.attach(subject, '-s', '200', '--set', 'wire-redis')
    subject.say('a')
    subject.wait_for('1')
    case.finish(subject)
    tracer.wait(0)
    case.equal(told(tracer), COMMANDS[1:2], 'attached to')


def start_redis():
    """The server and its port. Another process may take a free port first."""
    for _ in range(5):
        with socket.socket() as free:
            free.bind(('127.0.0.1', 0))
            port = free.getsockname()[1]
        server = case.start(
            'redis-server', '--port', '0', '--tls-port', str(port), '--bind',
            '127.0.0.1', '--tls-cert-file', CERTIFICATE, '--tls-key-file',
            case.FOLDER / 'key.pem', '--tls-ca-cert-file', CERTIFICATE,
            '--tls-auth-clients', 'no', '--save', '', '--appendonly', 'no')
        ping = ['redis-cli', '-p', str(port), '--tls', '--cacert', CERTIFICATE,
                'PING']
        case.until(lambda: not server.alive() or subprocess.run(
            ping, capture_output=True, check=False).stdout == b'PONG\n',
            'redis-server answers or ends')
        if server.alive():
            return server, port
    return case.fail('no port for redis-server')


def check_http():
    program = case.FOLDER / 'server.py'
    program.write_text(SERVER)
    fetch = case.FOLDER / 'fetch.py'
    fetch.write_text(FETCH)
    server = case.start('/usr/bin/python3', program)
    at = f'https://localhost:{server.wait_for("port").split()[1]}'
    pages = f'{at}/book?token=secret', f'{at}/none'
    curl = ['curl', '-s', '--http1.1', '--cacert', CERTIFICATE, *pages]
    check('wire-http', curl, ['GET /book" = 200', 'GET /none" = 404 ERROR "Not Found"'])
    check('wire-http', ['/usr/bin/python3', fetch, pages[0], CERTIFICATE],
          ['GET /book" = 200'])
    tracer = case.attach(server, '--set', 'wire-http')
    case.equal(subprocess.run(curl, capture_output=True, check=True).stdout,
               b'hellohello', 'pages')
    case.until(lambda: len(told(tracer)) == 2, 'both requests are told')
    tracer.leave()
    case.equal(told(tracer), ['GET /book" = 200', 'GET /none" = 404 ERROR "Not Found"'],
               'of the server')
    server.signal(signal.SIGKILL)


def test():
    certificate(case.FOLDER)
    server, port = start_redis()
    check_redis(port)
    check_attached(port)
    server.signal(signal.SIGTERM)
    server.wait()
    check_http()


case.main(test)
