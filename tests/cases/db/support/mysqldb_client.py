# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of MariaDB by MySQLdb; see clients/README.md."""
import os
import sys
import time


def hear(word):
    print(word, flush=True)
    sys.stdin.readline()


def main():
    hear('begin')
    import MySQLdb
    base = MySQLdb.connect(unix_socket=os.environ['MARIADB_SOCKET'],
                           user='root', db='xtrace')
    cursor = base.cursor()
    hear('loaded')
    for line in open(sys.argv[1]):
        sql = line.rstrip('\n')
        began = time.perf_counter()
        cursor.execute(sql)
        took = time.perf_counter() - began
        cursor.fetchall()
        print(f'query\t{took:.6f}\t{sql}', flush=True)
    print('end', flush=True)


main()
