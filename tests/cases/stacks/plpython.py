#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Python within PostgreSQL (PL/Python): the frames of functions, of functions
that they call by a query, and of a trigger are the frames that Python reports.
The interpreter is loaded after xtrace has attached.

NEEDS: root postgresql /usr/share/postgresql/15/extension/plpython3u.control
TIMEOUT: 120
"""
import contextlib
import re

import psycopg2

import case
import child
import stackcase

EACH = 5
NUMBERS = range(1000, 2000, 100)
FUNCTIONS = '''
CREATE EXTENSION IF NOT EXISTS plpython3u;
CREATE FUNCTION pg_temp.probe(number int) RETURNS text AS $$
import os, sys, traceback

def said(frame):
    words = [str(number)]
    for at, line in traceback.walk_stack(frame):
        words += [at.f_code.co_name, at.f_code.co_filename, str(line)]
    return '\\t'.join(words)

def closure():
    os.isatty(number); return said(sys._getframe())

return closure()
$$ LANGUAGE plpython3u;
CREATE FUNCTION pg_temp.several(number int) RETURNS SETOF text AS $$
def generator():
    for n in range(number, number + 3):
        for row in plpy.execute(f'SELECT pg_temp.probe({n})'):
            yield row['probe']

yield from generator()
$$ LANGUAGE plpython3u;
CREATE FUNCTION pg_temp.noted() RETURNS trigger AS $$
plan = plpy.prepare('SELECT pg_temp.probe($1)', ['int'])
TD['new']['text'] = plan.execute([TD['new']['number']])[0]['probe']
return 'MODIFY'
$$ LANGUAGE plpython3u;
CREATE TEMP TABLE notes (number int, text text);
CREATE TRIGGER noting BEFORE INSERT ON notes
    FOR EACH ROW EXECUTE FUNCTION pg_temp.noted();
'''


def connect():
    session = psycopg2.connect(dbname='postgres')
    session.autocommit = True
    return session


def rows(session, text):
    with session.cursor() as cursor:
        cursor.execute(text)
        return [row[0] for row in cursor] if cursor.description else []


def answers(session):
    rows(session, FUNCTIONS)
    found = []
    for number in NUMBERS:
        found += rows(session, f'SELECT pg_temp.probe({number})')
        found += rows(session, f'SELECT pg_temp.several({number + 1})')
        found += rows(session, f'INSERT INTO notes VALUES ({number + 4}) '
                               'RETURNING text')
    return found


def plain(rows):
    """Removes the numbers that PostgreSQL adds to the names of functions."""
    return [re.sub(r'_\d+\b', '_N', row) for row in rows]


def test():
    (case.FOLDER / 'p.conf').write_text('int isatty(int);\n')
    with contextlib.closing(connect()) as session:
        wanted = answers(session)
    with contextlib.closing(connect()) as session:
        pid = session.info.backend_pid
        tracer = case.Tracer(['-F', 'p.conf', '-w', '100', '-x', 'isatty',
                              '-p', str(pid)])
        child.wait_attached(pid, tracer.child, case.LIMIT)
        got = answers(session)
        tracer.leave()
        case.same_text(pid)
        case.equal(rows(session, 'SELECT 1'), [1], 'it goes on')
    case.equal(tracer.says(), [], 'what xtrace says')
    case.equal(plain(got), plain(wanted), 'what it answers')
    (case.FOLDER / 'said').write_text('\n'.join(got) + '\n')
    said = stackcase.said_of(case.FOLDER / 'said')
    case.equal(len(said), EACH * len(NUMBERS), 'calls')
    stackcase.compare(said, stackcase.traced_of(stackcase.read(tracer.path),
                                                'isatty'), 100, 'PL/Python')


case.main(test)
