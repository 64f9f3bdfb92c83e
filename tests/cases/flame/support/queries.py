# SPDX-License-Identifier: GPL-2.0-or-later
# Queries from functions and from recursion in Python, for languages.py.
import sqlite3
base = sqlite3.connect(':memory:')


def run(sql):
    return base.execute(sql).fetchall()


def tree(depth, sql):
    if depth:
        return tree(depth - 1, sql)
    return run(sql)


run('create table film (title text)')
for number in range(12):
    run(f'insert into film values ({number})')
    tree(number % 3, 'select count(*) from film a, film b')
