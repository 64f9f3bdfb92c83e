#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The set wire-http: clients (curl, Python, PHP) and servers (nginx, Python),
each traced alone; a process whose first thread has ended. Statuses, bodies of
all kinds, connections that are kept; lines, tables and JSON. Query strings and
headers are not shown.

NEEDS: curl php nginx
TIMEOUT: 180
"""
import http.client
import json
import os
import re
import signal
import socket

import case

LINE = re.compile(r'^(?:\d+ +)?\S+ (http ".*) <([0-9.]+)>$')
PARTS = re.compile(r' \((?:first [0-9.]+, )?\d+ bytes?\)')
NGINX = """
daemon off; master_process off; pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ }}
http {{
    access_log off; sendfile on; keepalive_timeout 60s;
    client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi; uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen unix:{folder}/nginx.socket;
        root {folder}/pages;
        location /gone {{ return 410; }}
        location /empty {{ return 204; }}
    }}
}}
"""
SERVER = """import http.server, socketserver, sys
class Page(http.server.BaseHTTPRequestHandler):
    protocol_version = 'HTTP/1.1'
    def log_message(self, *_):
        pass
    def do_POST(self):
        self.rfile.read(int(self.headers['Content-Length']))
        self.do_GET()
    def do_GET(self):
        if self.path.startswith('/chunks'):
            self.send_response(200)
            self.send_header('Transfer-Encoding', 'chunked')
            self.end_headers()
            self.wfile.write(b'5\\r\\nhello\\r\\n0\\r\\n\\r\\n')
        elif self.path.startswith('/end'):
            self.send_response(200)
            self.send_header('Connection', 'close')
            self.end_headers()
            self.wfile.write(b'up to the end')
            self.close_connection = True
        elif self.path.startswith('/missing'):
            self.send_error(404)
        else:
            self.send_response(200)
            self.send_header('Content-Length', '5')
            self.end_headers()
            self.wfile.write(b'' if self.command == 'HEAD' else b'hello')
    do_HEAD = do_GET
class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
server = Server(('127.0.0.1', 0), Page)
print(server.server_address[1], flush=True)
server.serve_forever()
"""
CLIENT = """import http.client, sys
server = http.client.HTTPConnection('127.0.0.1', int(sys.argv[1]))
for method, path, body in (('GET', '/a?token=secret', None),
                           ('GET', '/books/17', None),
                           ('GET', '/books/4', None),
                           ('POST', '/chunks', b'x' * 200000),
                           ('HEAD', '/a', None), ('GET', '/missing', None),
                           ('GET', '/end', None)):
    server.request(method, path, body, {'Cookie': 'secret'})
    answer = server.getresponse()
    print(answer.status, len(answer.read()))
"""
PHP = """foreach (['/a?token=secret', '/chunks', '/end'] as $path)
    var_dump(file_get_contents("http://127.0.0.1:$argv[1]$path"));
var_dump(@file_get_contents("http://127.0.0.1:$argv[1]/missing"));
"""
ASKED = ['GET /a" = 200', 'GET /books/17" = 200', 'GET /books/4" = 200',
         'POST /chunks" = 200', 'HEAD /a" = 200',
         'GET /missing" = 404 ERROR "Not Found"', 'GET /end" = 200']


def told(tracer):
    case.equal(tracer.says(), [], 'what xtrace says')
    lines = [LINE.match(line) for line in tracer.lines()]
    case.true('secret' not in tracer.path.read_text(), 'no secret is shown')
    return [PARTS.sub('', line[1])[len('http "'):] for line in lines if line]


def check_client(wanted, *command):
    status, out, _ = case.untraced(*command)
    case.equal(status, 0, f'{command[0]} runs')
    tracer = case.trace('--set', 'wire-http', command=command)
    tracer.wait(0)
    case.equal(told(tracer), wanted, command[0])
    case.equal(tracer.child.out, out, f'output of {command[0]}')


def check_clients(port):
    url = f'http://127.0.0.1:{port}'
    check_client(ASKED, case.PYTHON, '-c', CLIENT, port)
    check_client(['GET /a" = 200', 'GET /chunks" = 200'], 'curl', '-s',
                 f'{url}/a?token=secret', f'{url}/chunks')
    big = case.FOLDER / 'big'
    big.write_bytes(b'x' * 2000000)
    check_client(['POST /a" = 200'], 'curl', '-s', '-H',
                 'Expect: 100-continue', '--data-binary', f'@{big}', f'{url}/a')
    check_client(['GET /a" = 200', 'GET /chunks" = 200', 'GET /end" = 200',
                  'GET /missing" = 404 ERROR "Not Found"'],
                 'php', '-r', PHP, port)
    check_client(['GET /ended" = 200'] * 2, case.build('http_ended.c'))
    tracer = case.trace('--set', 'wire-http', '--query-strings', command=[
        'curl', '-s', f'{url}/a?b=c'])
    tracer.wait(0)
    case.equal(told(tracer), ['GET /a?b=c" = 200'], 'with the query string')


def check_tables(port):
    command = [case.PYTHON, '-c', CLIENT, port]
    tracer = case.trace('--set', 'wire-http', '--summary', command=command)
    tracer.wait(0)
    table = tracer.path.read_text()
    for row in r' 2 .* GET /books/\*', r' 1 .* GET /missing':
        case.true(re.search(row + '$', table, re.M), f'{row}: {table}')
    tracer = case.trace('--set', 'wire-http', '--json', command=command)
    tracer.wait(0)
    calls = [call for call in map(json.loads, tracer.lines())
             if call.get('name') == 'http']
    case.equal([(call['arguments'][0]['value'], call['result']['value'])
                for call in calls[:2]],
               [('GET /a', 200), ('GET /books/17', 200)], 'JSON')
    case.true('secret' not in tracer.path.read_text(), 'no secret in JSON')


def ask(connection, method, path, body=None):
    connection.request(method, path, body, {'Host': 'pages'})
    answer = connection.getresponse()
    answer.read()
    return answer.status


def check_python_server():
    server = case.start(case.PYTHON, '-c', SERVER)
    port = int(server.wait_for(''))
    try:
        check_clients(str(port))
        check_tables(str(port))
        tracer = case.attach(server, '--set', 'wire-http')
        done = case.untraced(case.PYTHON, '-c', CLIENT, str(port))
        case.equal(done[0], 0, 'the client of a traced server')
        case.until(lambda: len(tracer.lines()) >= len(ASKED), 'its answers')
        tracer.leave()
        case.equal(told(tracer), ASKED, 'the side of the server')
    finally:
        server.signal(signal.SIGKILL)
        server.wait()


class Unix(http.client.HTTPConnection):
    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self.host)


def check_nginx():
    """nginx sends the bodies of its answers by sendfile()."""
    folder = case.FOLDER / 'nginx'
    (folder / 'pages').mkdir(parents=True)
    (folder / 'pages' / 'index.html').write_text('x' * 300000)
    (folder / 'nginx.conf').write_text(NGINX.format(folder=folder))
    case.FOLDER.chmod(0o755)
    tracer = case.trace('--set', 'wire-http', command=[
        'nginx', '-c', folder / 'nginx.conf', '-p', folder])
    path = folder / 'nginx.pid'
    # The file is empty for a moment.
    pid = int(case.until(lambda: path.exists() and path.read_text(),
                         'nginx listens'))
    try:
        connection = Unix(str(folder / 'nginx.socket'))
        statuses = [ask(connection, *words) for words in (
            ('GET', '/?token=secret'), ('GET', '/missing'), ('HEAD', '/'),
            ('GET', '/empty'), ('GET', '/gone'), ('GET', '/'))]
        connection.close()
    finally:
        os.kill(pid, signal.SIGTERM)
    case.equal(statuses, [200, 404, 200, 204, 410, 200], 'answers of nginx')
    tracer.wait(0)
    case.equal(told(tracer), [
        'GET /" = 200', 'GET /missing" = 404 ERROR "Not Found"',
        'HEAD /" = 200', 'GET /empty" = 204', 'GET /gone" = 410 ERROR "Gone"',
        'GET /" = 200'], 'nginx')


def test():
    check_python_server()
    check_nginx()


case.main(test)
