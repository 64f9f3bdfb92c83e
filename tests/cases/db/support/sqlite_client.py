# SPDX-License-Identifier: GPL-2.0-or-later
"""A client of SQLite by sqlite3; see clients/README.md."""
import sys
import time


def hear(word):
    print(word, flush=True)
    sys.stdin.readline()


def main():
    hear('begin')
    import sqlite3
    base = sqlite3.connect(':memory:')
    base.create_function('pause', 1, lambda span: time.sleep(span) or 1)
    hear('loaded')
    for line in open(sys.argv[1]):
        sql = line.rstrip('\n')
        began = time.perf_counter()
        base.execute(sql).fetchall()
        took = time.perf_counter() - began
        print(f'query\t{took:.6f}\t{sql}', flush=True)
    print('end', flush=True)
    base.close()


main()
