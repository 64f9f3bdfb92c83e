#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Encrypted connections of drivers whose queries are seen on the wire only:
see support/matrix.py. Python encrypts into memory and sends the result itself;
in PHP, libssl sends. The clients check that the server says the connection is
encrypted.

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
