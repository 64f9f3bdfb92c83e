#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With --engine=agent fast queries of sqlite3 and PDO pass inside the program, and
the slow ones are shown as with --engine=ptrace.

TIMEOUT: 60
"""
import case
import insidecase


def test():
    insidecase.same(8, 1500, case.PYTHON, insidecase.FOLDER / 'sqlite3.py')
    insidecase.same(2, 100, 'php', insidecase.FOLDER / 'pdo.php', 'sqlite')


case.main(test)
