#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries of Python (psycopg2) to PostgreSQL, seen at PQexec.

NEEDS: postgresql
TIMEOUT: 240
"""
import os

import case
import dbcase


def test():
    (case.FOLDER / 'custom.conf').write_text('addr PQexec(addr, string);\n')
    env = {name: value for name, value in os.environ.items()
           if name.startswith('PG')}
    dbcase.run(['/usr/bin/python3', case.SUPPORT / 'psycopg2_client.py'],
               ['-F', 'custom.conf', '-x', 'PQexec'], 'pg_sleep',
               lambda *what: dbcase.check_direct(*what, 'PQexec', '0x'), env)


case.main(test)
