#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Encrypted connections, of drivers that only the wire shows: see matrix.py.

Python encrypts into memory and sends that itself, PHP has libssl send. The
clients make sure that the server says it is encrypted.

NEEDS: mariadb-tls postgresql-tls openssl
TIMEOUT: 600
"""
import os

import case
import matrix
from matrix import Driver


def test():
    os.environ.update(MARIADB_SOCKET=os.environ['TLS_MARIADB_SOCKET'],
                      MARIADB_PORT=os.environ['TLS_MARIADB_PORT'],
                      TLS_CA=os.environ['TLS_MARIADB_CA'])
    for driver in (Driver('py', 'pymysql', 'mysql'),
                   Driver('php', 'mysqli', 'mysql')):
        matrix.check(driver, 'wire', matrix.started, matrix.attached,
                     tls=True)
    os.environ.update(PGPORT=os.environ['TLS_PGPORT'], PGHOST='127.0.0.1',
                      TLS_CA=os.environ['TLS_PG_CA'])
    for driver in Driver('py', 'asyncpg', 'pg'), Driver('py', 'pg8000', 'pg'):
        matrix.check(driver, 'wire', matrix.started, matrix.attached,
                     tls=True)


case.main(test)
