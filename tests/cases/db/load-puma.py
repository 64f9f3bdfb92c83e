#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Puma under load, with ActiveRecord on mysql2 and on pg: see
support/service.py.

NEEDS: mariadbd psql puma /usr/share/doc/ruby-activerecord
TIMEOUT: 300
SLOW: two services under load
"""
import case
import service

WORKERS = 2


def command(page, path):
    return ['/usr/bin/puma', '-C', '/dev/null', '-w', str(WORKERS), '-t',
            '2:2', '-b', f'unix://{path}', '-e', 'production', page]


def test():
    for kind, driver in ((service.MariaDB, 'mysql2'),
                         (service.PostgreSQL, 'pg')):
        server, env = service.started(kind)
        try:
            service.run(f'Puma with {driver}', 'page.ru', server,
                        {**env, 'DRIVER': driver}, command, WORKERS)
        finally:
            server.stop()


case.main(test)
