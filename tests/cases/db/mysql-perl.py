#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries of Perl (DBD::mysql) to MariaDB, seen at mysql_real_query.

NEEDS: mariadb
TIMEOUT: 240
"""
import os

import case
import dbcase


def test():
    (case.FOLDER / 'custom.conf').write_text(
        'int mysql_real_query(addr,string,ulong);\n')
    dbcase.run(['/usr/bin/perl', case.SUPPORT / 'mysql_client.pl'],
               ['-F', 'custom.conf', '-gx', 'mysql_real_query'], 'sleep',
               lambda *what: dbcase.check_direct(*what, 'mysql_real_query'),
               {'MARIADB_SOCKET': os.environ['MARIADB_SOCKET']})


case.main(test)
