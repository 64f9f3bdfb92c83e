#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""DBD::mysql and DBD::MariaDB: the time of a query ends at its last row, whether
the rows are stored at once or used one by one, or come from a prepared
statement. DBD::mysql gets the second and the third result of a prepared CALL by
functions of the connection. (DBD::MariaDB 1.22 returns no rows with
mariadb_use_result, and has no results but the first of a prepared CALL.)

NEEDS: mariadb perl
TIMEOUT: 60
"""
import os

import case
import rowscase


def test():
    naps = rowscase.NUMBER * rowscase.NAP
    both = [rowscase.rows('stored', 1), rowscase.rows('prepared', 2)]
    slow = [rowscase.rows('used-slowly', 3, naps)]
    # If the client gives up a result of mysql_use_result(), libmariadb reads
    # the remaining rows. They are not counted, because the program does not
    # get them.
    sets = [rowscase.Query('prepared-sets', 'CALL rows_perl()', 0.09, 0.02, 1,
                           3 * 40000)]
    for driver, queries in ('mysql', both + slow + sets), ('MariaDB', both):
        rowscase.run(['/usr/bin/perl', case.SUPPORT / 'rows_client.pl',
                      rowscase.NAP, driver], queries,
                     {'MARIADB_SOCKET': os.environ['MARIADB_SOCKET']})


case.main(test)
