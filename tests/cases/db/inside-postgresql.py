#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With --engine=agent fast queries of psycopg2 and PDO pass inside the program, and
the slow ones are shown as with --engine=ptrace.

NEEDS: postgresql
TIMEOUT: 60
"""
import case
import insidecase


def test():
    insidecase.same(10, 400, case.PYTHON, insidecase.FOLDER / 'psycopg2.py')
    insidecase.same(2, 100, 'php', insidecase.FOLDER / 'pdo.php',
                    'postgresql')


case.main(test)
