# SPDX-License-Identifier: GPL-2.0-or-later
"""A receiver of OpenTelemetry's protocol, whose answers a case chooses."""
import gzip
import http.server
import json
import ssl
import threading
import time


class Receiver:
    """answers: what the next requests get, (status, headers); then 200. A status
    of None: no answer until the receiver is closed.
    """

    def __init__(self, answers=(), certificate=None):
        self.answers = list(answers)
        self.requests = []  # (time, path, headers, body, status)
        self.closed = threading.Event()
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = 'HTTP/1.1'

            def do_POST(self):
                receiver.take(self)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        if certificate:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate)
            self.server.socket = context.wrap_socket(self.server.socket,
                                                     server_side=True)
        threading.Thread(target=self.server.serve_forever,
                         daemon=True).start()

    def take(self, handler):
        body = handler.rfile.read(int(handler.headers['Content-Length']))
        status, headers = self.answers.pop(0) if self.answers else (200, {})
        if handler.headers['Content-Encoding'] == 'gzip':
            body = gzip.decompress(body)
        self.requests.append((time.monotonic(), handler.path, handler.headers,
                              json.loads(body), status))
        if status is None:
            self.closed.wait()
            return
        handler.send_response(status)
        for name, value in {**headers, 'Content-Length': '2'}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(b'{}')

    def taken(self, path):
        """The bodies of the requests that were answered with 200."""
        return [body for _, at, _, body, status in self.requests
                if at == path and status == 200]

    def settled(self, path):
        """The bodies of the requests that the answer tells not to send again."""
        return [body for _, at, _, body, status in list(self.requests)
                if at == path and status in (200, 400)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.closed.set()
        self.server.shutdown()
        self.server.server_close()
