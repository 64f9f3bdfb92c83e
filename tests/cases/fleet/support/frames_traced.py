# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions that handle requests, called as servers call them: by WSGI, by ASGI in
coroutines that overlap, with a request object, and without a request.
"""
import asyncio
import sqlite3
import sys

GOOD, OTHER = sys.argv[1:]
base = sqlite3.connect(':memory:', isolation_level=None)


class Request:
    def __init__(self, environ):
        self.META = environ


def ask(name):
    return base.execute(f"select '{name}'").fetchone()[0]


def handle_wsgi(environ, start_response):
    return [ask('wsgi'), ask('wsgi')]


async def handle_asgi(scope, receive, send):
    first = ask(scope['path'])
    await asyncio.sleep(0)
    return first + ask(scope['path'])


def handle_view(request):
    return ask('view')


def handle_job(number):
    return ask('job')


def headers(*values):
    return [(b'host', b'x')] + [(b'traceparent', value.encode())
                                for value in values]


async def served():
    scopes = [{'type': 'http', 'path': '/a', 'headers': headers(GOOD)},
              {'type': 'http', 'path': '/b', 'headers': headers(OTHER)},
              {'type': 'http', 'path': '/two', 'headers': headers(GOOD, OTHER)},
              {'type': 'http', 'path': '/none', 'headers': headers()}]
    return await asyncio.gather(*(handle_asgi(scope, None, None)
                                  for scope in scopes))


print(handle_wsgi({'REQUEST_METHOD': 'GET', 'HTTP_TRACEPARENT': GOOD}, None))
print(handle_wsgi({'REQUEST_METHOD': 'GET', 'HTTP_TRACEPARENT': 'x'}, None))
print(asyncio.run(served()))
print(handle_view(Request({'HTTP_TRACEPARENT': OTHER})), handle_job(1))
