# SPDX-License-Identifier: GPL-2.0-or-later
"""A WSGI application: what it knows of its caller's trace, and a sum."""
import sqlite3

BASE = sqlite3.connect(':memory:', isolation_level=None)


def application(environ, start_response):
    found = sum(BASE.execute(f'select {number}').fetchone()[0]
                for number in range(3))
    text = f'{environ.get("HTTP_TRACEPARENT", "none")} {found}'.encode()
    start_response('200 OK', [('Content-Length', str(len(text)))])
    return [text]
