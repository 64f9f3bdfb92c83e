#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""mysql2: the time of a query ends at its last row, whether the rows are stored
at once or streamed, or come from a prepared statement.

NEEDS: mariadb ruby
TIMEOUT: 60
"""
import os

import case
import rowscase


def test():
    naps = rowscase.NUMBER * rowscase.NAP
    rowscase.run(['/usr/bin/ruby', case.SUPPORT / 'rows_client.rb',
                  rowscase.NAP],
                 [rowscase.rows('stored', 1),
                  rowscase.rows('used-slowly', 2, naps),
                  rowscase.rows('prepared', 3)],
                 {'MARIADB_SOCKET': os.environ['MARIADB_SOCKET']})


case.main(test)
