# SPDX-License-Identifier: GPL-2.0-or-later
"""Calls libmariadb itself: many fast queries, and queries of which only the
last result is slow: rows, none, and changes. Then the same with prepared
statements, whose later results come from functions of the statement or of its
connection."""
import ctypes
import os

library = ctypes.CDLL('libmariadb.so.3')
library.mysql_init.restype = ctypes.c_void_p
library.mysql_real_connect.restype = ctypes.c_void_p
library.mysql_store_result.restype = ctypes.c_void_p
library.mysql_stmt_init.restype = ctypes.c_void_p
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


class Statement:
    def __init__(self, base, sql):
        text = sql.encode()
        self.base = base
        self.handle = ctypes.c_void_p(library.mysql_stmt_init(base))
        assert not library.mysql_stmt_prepare(self.handle, text,
                                              ctypes.c_ulong(len(text)))

    def run(self, *functions):
        """Returns what the last function returned."""
        for function in (library.mysql_stmt_execute, *functions):
            # One line, as in run().
            got = function(self.base if function in OF_CONNECTIONS else self.handle)
            if function is library.mysql_store_result:
                library.mysql_free_result(ctypes.c_void_p(got))
        return got


OF_CONNECTIONS = (library.mysql_next_result, library.mysql_store_result)
STORE = (library.mysql_stmt_store_result, library.mysql_stmt_free_result)
NEXT = (library.mysql_stmt_next_result,) + STORE
# As DBD::mysql gets the second result of a statement.
BY_CONNECTION = (library.mysql_next_result, library.mysql_store_result)
PROCEDURE = """CREATE OR REPLACE PROCEDURE inside_mariadb(IN seconds DOUBLE)
    BEGIN SELECT seq FROM seq_1_to_2 WHERE FALSE; SELECT SLEEP(seconds); END"""
ROWS = ("SELECT seq, REPEAT('x', 200), SLEEP(IF(seq = 900, 0.1, 0)) "
        'FROM seq_1_to_1000 /* slow, {} */')


def main_prepared(base):
    run(base, PROCEDURE, 0)
    fast = [Statement(base, f'SELECT {i}') for i in range(3)]
    for i in range(150):
        fast[i % 3].run(*STORE)
    print(Statement(base, 'SELECT SLEEP(0.1) /* slow, executed */').run(*STORE))
    for i in range(30):
        fast[i % 3].run(*STORE)
    print(Statement(base, ROWS.format('stored')).run(*STORE))
    sets = Statement(base, 'CALL inside_mariadb(0)')
    for i in range(40):
        sets.run(*STORE, *NEXT, library.mysql_stmt_next_result)
    print(Statement(base, 'CALL inside_mariadb(0.1) /* slow, next */').run(
        *STORE, *NEXT, library.mysql_stmt_next_result))
    for i in range(40):
        run(base, 'DO 1', 0)
        sets.run(*STORE, *BY_CONNECTION, library.mysql_next_result)
    run(base, 'DO 1', 0)
    print(Statement(base, 'CALL inside_mariadb(0.1) /* slow, by connection */').run(
        *STORE, *BY_CONNECTION, library.mysql_next_result))
    for i in range(30):
        fast[i % 3].run(*STORE)
    print(Statement(base, ROWS.format('fetched')).run(
        *[library.mysql_stmt_fetch] * 1001))
    # mysql_stmt_close() reads the rows that were not fetched.
    print(Statement(base, ROWS.format('closed')).run(library.mysql_stmt_close))


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
    main_prepared(base)


main()
