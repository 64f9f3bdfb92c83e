# SPDX-License-Identifier: GPL-2.0-or-later
import os

import pymysql


def ask(base, sql):
    try:
        base.query(sql)
    except pymysql.Error as fault:
        print(fault)


def work(base):
    ask(base, 'SELECT 1 UNION SELECT 2')
    ask(base, 'SELEKT')
    ask(base, 'SELECT SLEEP(0.1)')


work(pymysql.connect(unix_socket=os.environ['MARIADB_SOCKET'], user='root',
                     db='xtrace', autocommit=None))
