# SPDX-License-Identifier: GPL-2.0-or-later
"""uWSGI with several threads, which block all signals as long as they live, and
clients that make requests all the time, with pauses."""
import itertools
import pathlib
import signal
import socket
import threading
import time

import case

HERE = pathlib.Path(__file__).resolve().parent
FUNCTION = 'isatty'
numbers = itertools.count()


class Uwsgi:
    def __init__(self, ms, threads):
        self.ms = ms
        self.path = case.FOLDER / f'uwsgi.{next(numbers)}'
        self.child = case.start(
            'uwsgi_python3', '--http-socket', self.path, '--wsgi-file',
            HERE / 'uwsgi_app.py', '--threads', threads, '--die-on-term',
            '--disable-logging', limit=3600)
        self.pid = self.child.pid
        case.until(lambda: self.path.exists() or not self.child.alive(),
                   'uWSGI listens')
        self.over = threading.Event()
        self.wrong = 0  # answers
        self.right = 0
        self.clients = [threading.Thread(target=self._ask, daemon=True)
                        for _ in range(int(threads))]
        for client in self.clients:
            client.start()
        case.until(lambda: self.right or not self.child.alive(),
                   'uWSGI answers')

    def _ask(self):
        while not self.over.wait(self.ms / 1000):
            try:
                answer = self._answer()
            except OSError:
                # It has died, or is about to.
                time.sleep(0.01)
                continue
            if answer.endswith(b'\r\n\r\nright'):
                self.right += 1
            elif answer:
                self.wrong += 1

    def _answer(self):
        with socket.socket(socket.AF_UNIX) as near:
            near.settimeout(case.LIMIT)
            near.connect(str(self.path))
            near.sendall(b'GET / HTTP/1.0\r\n\r\n')
            parts = []
            while part := near.recv(65536):
                parts.append(part)
        return b''.join(parts)

    def _stop(self):
        self.over.set()
        for client in self.clients:
            client.join(case.LIMIT)

    def died(self):
        self._stop()
        self.child.wait()

    def end(self):
        right = self.right
        case.until(lambda: self.right > right, 'uWSGI still answers')
        self._stop()
        self.child.signal(signal.SIGTERM)
        self.child.wait()
        case.equal(self.wrong, 0, 'wrong answers of uWSGI')
