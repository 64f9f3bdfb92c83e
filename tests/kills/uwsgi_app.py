# SPDX-License-Identifier: GPL-2.0-or-later
"""uWSGI serves this, see uwsgi.py: each request makes some calls of isatty()."""
import os

CALLS = 10


def application(environ, start_response):
    wrong = sum(os.isatty(1000) for _ in range(CALLS))
    start_response('200 OK', [('Content-Type', 'text/plain')])
    return [b'wrong' if wrong else b'right']
