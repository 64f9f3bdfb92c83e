#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With --engine=agent fast queries of MySQLdb, mysql2 and DBD::mysql pass inside the
program, and the slow ones are shown as with --engine=ptrace.

NEEDS: mariadb perl
TIMEOUT: 60
"""
import case
import insidecase


def test():
    insidecase.same(16, 800, case.PYTHON, insidecase.FOLDER / 'mysqldb.py')
    insidecase.same(4, 300, '/usr/bin/ruby', insidecase.FOLDER / 'mysql2.rb')
    insidecase.same(3, 500, '/usr/bin/perl', insidecase.FOLDER / 'mysql.pl')


case.main(test)
