# SPDX-License-Identifier: GPL-2.0-or-later
"""A WSGI application: GET /COUNT/NUMBER queries the number COUNT times, and
answers `asked`."""
import client

opened = []


def application(environ, start_response):
    if not opened:
        opened.append(client.psycopg2()[0])
    count, number = environ['PATH_INFO'][1:].split('/')
    for _ in range(int(count)):
        opened[0]('SELECT ' + number)
    start_response('200 OK', [('Content-Type', 'text/plain')])
    return [b'asked\n']
