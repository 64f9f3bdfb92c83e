#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""gunicorn under load, with Django and with SQLAlchemy: see
support/service.py.

NEEDS: mariadbd psql gunicorn /usr/share/doc/python3-django /usr/share/doc/python3-sqlalchemy
TIMEOUT: 400
SLOW: six services under load
"""
import case
import service

WORKERS = 2


def command(page, path):
    return ['/usr/bin/gunicorn', '--chdir', page.parent, '-w', str(WORKERS),
            '--threads', '2', '--timeout', '300', '-b', f'unix:{path}',
            '--worker-tmp-dir', case.FOLDER, f'{page.stem}:application']


def test():
    for kind, drivers in ((service.MariaDB, ('mysqldb', 'pymysql')),
                          (service.PostgreSQL, ('psycopg2',))):
        server, env = service.started(kind)
        try:
            for library in 'django', 'sqlalchemy':
                for driver in drivers:
                    service.run(f'{library} with {driver}',
                                f'{library}_page.py', server,
                                {**env, 'DRIVER': driver}, command, WORKERS)
        finally:
            server.stop()


case.main(test)
