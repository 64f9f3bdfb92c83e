#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""libpq: the time of a query ends at its last row, also of COPY in both
directions, of FETCH from a cursor and of rows that are streamed. Queries in a
pipeline are answered in order, so together they take no longer than the
pipeline.

NEEDS: postgresql
TIMEOUT: 60
"""
import json
import os

import case
import durations
import rowscase
from rowscase import LONG, NUMBER, Query, SLEEPS

ENV = {name: value for name, value in os.environ.items()
       if name.startswith('PG')}
SELECT = (f"SELECT i, repeat('x', {LONG}), pg_sleep({SLEEPS}), %s "
          f"FROM generate_series(1, {NUMBER}) AS i")
SLOW_TABLE = (
    'CREATE TEMPORARY TABLE slow (number int, text text)',
    'CREATE FUNCTION pg_temp.slowly() RETURNS trigger AS '
    f"'BEGIN PERFORM pg_sleep({SLEEPS}); RETURN NEW; END' LANGUAGE plpgsql",
    'CREATE TRIGGER slowly BEFORE INSERT ON slow FOR EACH ROW '
    'EXECUTE FUNCTION pg_temp.slowly()')
PIPELINE = '''
import time
import psycopg
base = psycopg.connect('', autocommit=True)
began = time.perf_counter()
with base.pipeline():
    for number in range(5):
        base.execute('SELECT pg_sleep(0.04), %s', (number,))
print(time.perf_counter() - began)
'''


def rows(way, sql, naps=0, early=SLEEPS, before=()):
    return Query(way, sql, NUMBER * SLEEPS, early, NUMBER, NUMBER * LONG, naps,
                 before)


def test_ways():
    naps = NUMBER * rowscase.NAP
    rowscase.run(
        [case.PYTHON, case.SUPPORT / 'rows_pg_client.py', rowscase.NAP, LONG,
         NUMBER],
        [rows('select', SELECT % 1),
         rows('copy-out', f'COPY ({SELECT % 2}) TO STDOUT'),
         rows('copy-out-slowly', f'COPY ({SELECT % 3}) TO STDOUT', naps),
         rows('copy-in', 'COPY slow FROM STDIN', early=0, before=SLOW_TABLE),
         rows('fetch', 'FETCH ALL FROM the_rows', before=(
             'BEGIN', f'DECLARE the_rows CURSOR FOR {SELECT % 4}')),
         rows('select-3', SELECT % 5), rows('stream-3', SELECT % 6),
         rows('copy-out-3', f'COPY ({SELECT % 7}) TO STDOUT')], ENV)


def test_pipeline():
    tracer = case.trace('--sql', '--json', env=ENV,
                        command=[case.PYTHON, '-c', PIPELINE])
    tracer.wait(0)
    took = [row['wall'] for row in map(json.loads, tracer.lines())
            if row['event'] == 'call'
            and 'SELECT pg_sleep' in str(row['arguments'])]
    case.equal(len(took), 5, 'queries in the pipeline')
    durations.check('a pipeline', took, float(tracer.child.out), 5 * 0.04)


def test():
    test_ways()
    test_pipeline()


case.main(test)
