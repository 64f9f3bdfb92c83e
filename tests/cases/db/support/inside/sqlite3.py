# SPDX-License-Identifier: GPL-2.0-or-later
"""Many fast queries by sqlite3, and some slow ones: in one step, and in many
steps that are all fast; by turns with others; whose rows are read slowly, which
does not make them slow; of a script; and within another query."""
import sys
import time

sys.path.pop(0)  # this file has the name of the module
import sqlite3                                              # noqa: E402

base = sqlite3.connect(':memory:')
base.create_function('pause', 1, lambda span: time.sleep(span) or 1)
base.create_function('within', 0, lambda: base.execute(
    'SELECT pause(0.08) /* within */').fetchall() and 1)
cursor = base.cursor()
cursor.execute('CREATE TABLE t(x)')
cursor.executemany('INSERT INTO t VALUES(?)', [(i,) for i in range(50)])


def fast(count=60):
    for i in range(count):
        cursor.execute('SELECT x FROM t WHERE x < ?', (i % 10,)).fetchall()


def rows(sql, *values):
    print(len(cursor.execute(sql, values).fetchall()))


fast(150)
rows('SELECT pause(0.1) /* slow, one step */')
fast()
rows('SELECT x, pause(0.003) FROM t /* slow, steps */')
fast()
for number in range(100):
    rows('SELECT x, pause(?) FROM t WHERE x < 20 /* slow, sometimes */',
         0.005 if number % 50 == 49 else 0)
for row in base.execute('SELECT x, pause(0.003) FROM t /* slow, by turns */'):
    cursor.execute('SELECT x FROM t WHERE x < 3').fetchall()
fast()
for row in base.execute('SELECT x FROM t WHERE x < 20 /* read slowly */'):
    time.sleep(0.005)
fast()
base.executescript('SELECT pause(0.1) /* slow, script */; SELECT 1;')
rows('SELECT within() UNION ALL SELECT pause(0.01) /* slow, around */')
cursor.execute('DELETE FROM t WHERE pause(0.003) = 2 /* slow, no rows */')
rows(f"SELECT /* slow, long */ pause(0.1), '{'y' * 3000}'")
fast()
