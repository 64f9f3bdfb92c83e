# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls libmariadb itself: many fast queries, and queries of which only the
last result is slow: rows, none, and changes."""
import ctypes
import os

library = ctypes.CDLL('libmariadb.so.3')
library.mysql_init.restype = ctypes.c_void_p
library.mysql_real_connect.restype = ctypes.c_void_p
library.mysql_store_result.restype = ctypes.c_void_p
MULTI_STATEMENTS = ctypes.c_ulong(1 << 16)


def connect():
    base = ctypes.c_void_p(library.mysql_init(None))
    assert library.mysql_real_connect(
        base, None, b'root', None, b'xtrace', 0,
        os.environ['MARIADB_SOCKET'].encode(), MULTI_STATEMENTS)
    return base


def run(base, sql, results=2, ask=library.mysql_real_query):
    """Returns -1 if the query had exactly this many results."""
    calls = [(ask, sql.encode(), ctypes.c_ulong(len(sql)))]
    calls += [(library.mysql_store_result,), (library.mysql_next_result,)] * results
    for function, *rest in calls:
        # One line: the stack of a query may be that of a later call of it.
        got = function(base, *rest)
        if function is library.mysql_store_result and got:
            library.mysql_free_result(ctypes.c_void_p(got))
    return got


def beside(base, other):
    """A query of `other` begins in the middle of a slow one of `base`, which is
    then in a register that mysql_real_query() does not read."""
    sql, short = b'SELECT 1; DO SLEEP(0.1) /* slow, beside */', b'DO 1'
    steps = ((library.mysql_real_query, base, sql, ctypes.c_ulong(len(sql))),
             (library.mysql_real_query, other, short, ctypes.c_ulong(len(short)),
              base),
             (library.mysql_store_result, base), (library.mysql_next_result, base))
    for function, *rest in steps:
        got = function(*rest)
    return got


def main():
    base = connect()
    for i in range(100):
        run(base, f'SELECT {i}; SELECT 2')
    print(run(base, 'DO 1; SELECT SLEEP(0.1) /* slow, rows */'))
    for i in range(50):
        run(base, f'SELECT {i}; DO 2')
    print(run(base, 'SELECT 1; DO SLEEP(0.1) /* slow, no rows */'))
    for i in range(50):
        run(base, f'SELECT {i}', 1)
    print(run(base, 'DO 1; DO 2; SELECT SLEEP(0.1) /* slow, third */', 3))
    print(run(base, 'CREATE TEMPORARY TABLE t SELECT 1 AS a', 1))
    print(run(base, 'SELECT 1; UPDATE t SET a = 1 + SLEEP(0.1) WHERE a = 1 '
              '/* slow, nothing changes */'))
    print(beside(base, connect()))
    # mysql_query() jumps to mysql_real_query(), so each call stops.
    for i in range(40):
        run(base, f'SELECT {i}; DO 2', 2, library.mysql_query)
    print(run(base, 'SELECT 1; DO SLEEP(0.1) /* slow, mysql_query */', 2,
              library.mysql_query))


main()
