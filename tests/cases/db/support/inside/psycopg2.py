# SPDX-License-Identifier: GPL-2.0-or-later
"""Many fast queries by psycopg2, and some slow ones: with a slow first row, with
a slow row later, with an error, a COPY, with a long text, of a cursor, after a
reset, and of threads."""
import io
import sys

from fast import fast, in_threads

sys.path.pop(0)  # this file has the name of the module
import psycopg2                                             # noqa: E402

SOME = ("SELECT i, repeat('x', 200), pg_sleep(CASE WHEN i = 1500 THEN 0.1 "
        "ELSE 0 END) FROM generate_series(1, 2000) AS i /* slow, %s */")


def rows(cursor, sql):
    cursor.execute(sql)
    print(len(cursor.fetchall()))


def copy(cursor, name):
    text = io.StringIO()
    cursor.copy_expert(f'COPY ({SOME % name}) TO STDOUT', text)
    print(text.getvalue().count('\n'))


def work(number):
    cursor = psycopg2.connect('').cursor()
    fast(cursor, 100)
    rows(cursor, f'SELECT pg_sleep(0.1), {number} /* slow, thread */')
    fast(cursor)


def main():
    base = psycopg2.connect('')
    cursor = base.cursor()
    fast(cursor, 150)
    rows(cursor, 'SELECT pg_sleep(0.1) /* slow, first */')
    fast(cursor)
    rows(cursor, SOME % 'later')
    fast(cursor)
    try:
        cursor.execute('SELECT 1 / (x IS NULL)::int FROM '
                       '(SELECT pg_sleep(0.1) AS x) AS y /* slow, failed */')
    except psycopg2.Error as error:
        print(error.pgcode)
    base.rollback()
    fast(cursor)
    for _ in range(40):
        cursor.copy_expert('COPY (SELECT 1) TO STDOUT', io.StringIO())
    copy(cursor, 'copied')
    fast(cursor)
    rows(cursor, f"SELECT /* slow, long */ pg_sleep(0.1), '{'y' * 3000}'")
    base.commit()
    named = base.cursor('slow')
    named.execute('SELECT i, pg_sleep(0.002) FROM generate_series(1, 50) AS i')
    print(len(named.fetchall()))
    base.commit()
    base.reset()
    fast(cursor, 3)
    copy(cursor, 'after a reset')
    in_threads(work)


main()
