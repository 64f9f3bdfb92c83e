#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--otlp FILE of a server: each query is below the span of the request that the
JSON of the same run names, in one trace with it; each request has its method
and path. The answers are right.
"""
import http.client
import json

import case
from spans import spans_of

SERVER = '''
import http.server, sqlite3
base = sqlite3.connect(":memory:", isolation_level=None)
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        text = "".join(str(base.execute(f"select {number}").fetchone()[0])
                       for number in range(3)).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)
    def log_message(self, *_):
        pass
server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
print(server.server_port, flush=True)
server.serve_forever()
'''
REQUESTS = 4


def test():
    path = case.FOLDER / 'server.py'
    path.write_text(SERVER)
    server = case.start(case.PYTHON, path)
    port = int(server.wait_for(''))
    tracer = case.attach(server, '--otlp=out.otlp', '--json=out.json')
    for number in range(REQUESTS):
        client = http.client.HTTPConnection('127.0.0.1', port, timeout=60)
        client.request('GET', f'/books/{number}?token=secret')
        case.equal(client.getresponse().read(), b'012', 'the answer')
        client.close()
    tracer.leave()
    server.signal(15)
    server.wait()
    text = (case.FOLDER / 'out.otlp').read_text()
    case.true('secret' not in text, 'no query string is sent')
    spans = [span for _, span in
             spans_of(map(json.loads, text.splitlines()))]
    events = [json.loads(line) for line in
              (case.FOLDER / 'out.json').read_text().splitlines()]
    served = [span for span in spans if span['kind'] == 2]
    case.equal([(span['name'], span['attributes']['url.path'])
                for span in served],
               [('GET', f'/books/{number}') for number in range(REQUESTS)],
               'the requests')
    told = [row['request'] for row in events if row['event'] == 'request']
    requests = dict(zip(told, served))
    calls = [row for row in events if row['event'] == 'call']
    queries = [span for span in spans if span['kind'] == 3]
    case.equal(len(calls), 3 * REQUESTS, 'queries')
    case.equal([(span['parentSpanId'], span['traceId']) for span in queries],
               [(requests[call['request']]['spanId'],
                 requests[call['request']]['traceId']) for call in calls],
               'parents')
    case.equal(len({span['traceId'] for span in served}), REQUESTS, 'traces')


case.main(test)
