# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of PostgreSQL by psycopg2; see clients/README.md."""
import sys
import time


def hear(word):
    print(word, flush=True)
    sys.stdin.readline()


def main():
    hear('begin')
    import psycopg2
    base = psycopg2.connect('')  # libpq reads PGHOST and so on
    base.autocommit = True
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
