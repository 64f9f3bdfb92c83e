#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""MySQLdb: the time of a query ends at its last row, whether the rows are stored
at once, used one by one, given up, or come in two results. What the client does
after the query, before it stores the rows, is told apart.

NEEDS: mariadb
TIMEOUT: 60
"""
import os

import case
import rowscase

ENV = {'MARIADB_SOCKET': os.environ['MARIADB_SOCKET']}
SETS = """
import os
import MySQLdb
base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                       db='xtrace')
base.cursor().execute('''CREATE OR REPLACE PROCEDURE rows_python()
    BEGIN SELECT SLEEP(0.05), REPEAT('x', 40000);
          SELECT SLEEP(0.1), REPEAT('x', 40000); END''')
"""


def test():
    script = case.FOLDER / 'sets.py'
    script.write_text(SETS)
    case.equal(case.untraced(case.PYTHON, script, env=ENV)[0], 0, 'CALL')
    sets = 'CALL rows_python()'
    naps = rowscase.NUMBER * rowscase.NAP
    rowscase.run([case.PYTHON, case.SUPPORT / 'rows_client.py', rowscase.NAP],
                 [rowscase.rows('stored', 1),
                  rowscase.rows('used', 2),
                  rowscase.rows('used-slowly', 3, naps),
                  rowscase.rows('given-up', 4),
                  rowscase.rows('stored-later', 5, naps),
                  rowscase.rows('executed-later', 6, naps),
                  rowscase.Query('stored-sets', sets, 0.15, 0.05, 2, 80000),
                  rowscase.Query('used-sets', sets, 0.15, 0.05, 2, 80000)], ENV)


case.main(test)
