#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--compare: two versions of a program. The second one has slower queries, more
frequent ones and a new one, and lacks one. For a bad file, one line is printed.
"""
import json
import subprocess

import case

CLIENT = '''
import sqlite3
import sys
after = sys.argv[1] == 'after'
base = sqlite3.connect(':memory:', isolation_level=None)
base.execute('CREATE TABLE t(a)')
rows = 200000 if after else 20
for number in range(10):
    base.execute('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 '
                 f'FROM n WHERE i < {rows}) SELECT count(*) FROM n').fetchall()
for number in range(50 if after else 2):
    base.execute(f'INSERT INTO t VALUES ({number})')
base.execute('SELECT max(a) FROM t' if after else 'SELECT min(a) FROM t')
'''


def compare(*files):
    """The status, the output and the message of xtrace --compare."""
    done = subprocess.run([case.XTRACE, '--compare', *files], text=True,
                          cwd=case.FOLDER, capture_output=True, check=False)
    return done.returncode, done.stdout, done.stderr


def record(name):
    tracer = case.trace('--sql', '--summary', '--json',
                        command=[case.PYTHON, 'client.py', name])
    tracer.wait(0)
    (case.FOLDER / f'{name}.json').write_text(tracer.path.read_text())


def refused(text, message):
    (case.FOLDER / 'bad.json').write_text(text)
    case.equal(compare('before.json', 'bad.json'),
               (1, '', f'xtrace: bad.json{message}\n'), repr(text))


def test_bad():
    lines = 'not a line of a table that --summary --json writes'
    good = (case.FOLDER / 'before.json').read_text().splitlines()[0]
    refused('', ': no rows')
    for text in ('x', '{"event":"call"}', '{"event":"row","name":"x"}',
                 good[:-1], good + 'x', good.replace('"calls":', '"calls":-'),
                 '{"event":"row","name":"\\u12"}', '[1]', '{"a":[]}', '{'):
        refused(text, f', line 1: {lines}')
    refused(good + '\n' + 'x', f', line 2: {lines}')
    status, out, said = compare('before.json', 'nosuch.json')
    case.equal((status, out, said),
               (1, '', 'xtrace: nosuch.json: cannot be read: No such file or '
                'directory\n'), 'no file')
    for files in (['before.json'], ['before.json'] * 3):
        case.equal(compare(*files),
                   (2, '', 'xtrace: --compare before.json: name one more file, '
                    'with the summary after the change\n'), 'how many files')


def test():
    (case.FOLDER / 'client.py').write_text(CLIENT)
    record('before')
    record('after')
    status, out, said = compare('before.json', 'after.json')
    case.equal((status, said), (0, ''), 'the status')
    lines = out.splitlines()
    kinds = {line.split('  ')[-1]: line.split()[0] for line in lines[1:-1]}
    recursive = next(name for name in kinds if name.startswith('with recursive'))
    case.equal(kinds[recursive], 'slower', 'the slower query')
    case.equal((kinds['select max(a) from t'], kinds['select min(a) from t']),
               ('new', 'gone'), 'other queries')
    case.true(kinds['insert into t values(?+)'] in ('more', 'slower', 'faster'),
              'the query that is asked more often')
    case.true(' 1 new, 1 gone, ' in lines[-1], lines[-1])
    order = [line.split()[0] for line in lines[1:-1]]
    wanted = ['slower', 'more', 'new', 'gone', 'faster']
    case.equal(order, sorted(order, key=wanted.index), 'the order')
    # The last table of a file counts, and names are compared as text.
    row = json.loads((case.FOLDER / 'after.json').read_text().splitlines()[0])
    old = dict(row, name='caf\u00e9 \U0001f600\n', calls=1, total=1)
    (case.FOLDER / 'two.json').write_text('\n'.join(map(json.dumps, [
        row, {'event': 'summary'}, old, {'event': 'summary'}])))
    (case.FOLDER / 'one.json').write_text(json.dumps(
        dict(old, total=3), ensure_ascii=False) + '\n')
    lines = compare('two.json', 'one.json')[1].splitlines()
    case.equal([len(lines), lines[1].split()[:4], lines[2]],
               [3, ['slower', '1.000s', '3.000s', 'x'],
                '1 slower, 0 more, 0 new, 0 gone, 0 faster, 0 the same'],
               'the last table')
    test_bad()


case.main(test)
