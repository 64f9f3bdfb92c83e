#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--compare of what --heap --json wrote: two runs of a script, and the first and
the last census of one run, differ by exactly the objects that were made and
dropped. For a file that is no census, one line is printed.

TIMEOUT: 60
"""
import json
import re
import subprocess
import sys

import case

SCRIPT = """
import sys
class Session: __slots__ = ('one',)
class Cache: __slots__ = ('one',)
class Steady: __slots__ = ('one',)
kept = [Session() for _ in range(int(sys.argv[1]))]
caches = [Cache() for _ in range(int(sys.argv[2]))]
steady = [Steady() for _ in range(500)]
print('all', flush=True)
for line in sys.stdin:
    kept += [Session() for _ in range(100)]
    del caches[:10]
    print('grown', len(kept), flush=True)
print('over')
"""
HEAD = re.compile(r' +count +bytes  class, changes of Python 3\.11')
LINES = 'not a line that --heap --json writes'


def start(*counts):
    subject = case.start(case.PYTHON, '-c', SCRIPT, *map(str, counts))
    subject.wait_for('all')
    case.wait_for_input(subject.pid)
    return subject


def end(subject):
    subject.close_input()
    case.finish(subject)
    case.equal(subject.out.splitlines()[-1], 'over', 'what it says')
    case.equal(subject.err, '', 'what it says')


def record(name, *counts):
    """Writes the census of a script with so many objects to the file."""
    subject = start(*counts)
    run = case.start(case.XTRACE, '--heap', '--json', '-p', str(subject.pid))
    case.equal(run.wait(), 0, f'status, {run.err}')
    (case.FOLDER / name).write_text(run.out)
    end(subject)


def compare(*files, options=()):
    """The status, the output and the message of xtrace --compare."""
    done = subprocess.run([case.XTRACE, *options, '--compare', *files],
                          text=True, cwd=case.FOLDER, capture_output=True,
                          check=False)
    return done.returncode, done.stdout, done.stderr


def changes(table, name):
    found = re.findall(rf'^ +([-+]?[\d ]+\d|0) {{2,}}([-+]?[\d ]+\d|0)  {name}$',
                       table, re.M)
    case.true(len(found) <= 1, table)
    return tuple(int(text.replace(' ', '')) for text in found[0]) \
        if found else (0, 0)


def check_table(table, sessions, caches):
    case.true(HEAD.fullmatch(table.splitlines()[0]), table)
    count, size = changes(table, 'Session')
    case.equal(count, sessions, 'sessions')
    case.equal(changes(table, 'Cache'), (caches, size // count * caches),
               'caches')
    case.true('Steady' not in table, 'a class that does not change')
    rows = table.splitlines()[1:-1]
    case.true(rows[0].endswith('  Session') and rows[-1].endswith('  Cache'),
              table)


def test_runs():
    record('before.json', 1000, 20000)
    record('after.json', 13400, 5)
    status, table, said = compare('before.json', 'after.json',
                                  options=['--top', '999'])
    case.equal((status, said), (0, ''), 'its end')
    check_table(table, 12400, -19995)
    case.true(re.search(r' \+12 400 +\+\d\d\d \d00  Session$', table, re.M),
              table)
    few = compare('before.json', 'after.json', options=['--top', '1'])[1]
    case.equal(few.splitlines()[:2], table.splitlines()[:2], 'the first row')
    case.true('more rows (--top)' in few, few)
    # With the files exchanged, the difference has the other sign.
    back = compare('after.json', 'before.json', options=['--top', '999'])[1]
    case.equal(changes(back, 'Session')[0], -12400, 'sessions')


def test_interval():
    subject = start(1000, 1000)
    run = case.start(case.XTRACE, '--heap', '--json', '--interval', '1s', '-p',
                     str(subject.pid))
    run.wait_for('"event":"heap"')
    for _ in range(2):
        subject.say('grow')
        subject.wait_for('grown')
        for _ in range(2):
            run.wait_for('"event":"heap"')
    run.signal(2)
    case.equal(run.wait(), 0, f'status, {run.err}')
    end(subject)
    text = run.out
    (case.FOLDER / 'run.json').write_text(text)
    table = compare('run.json', 'run.json', options=['--top', '999'])[1]
    check_table(table, 200, -20)
    # If two files are compared, the last census of each of them counts.
    (case.FOLDER / 'same.json').write_text(text)
    table = compare('run.json', 'same.json')[1]
    case.equal(len(table.splitlines()), 2, 'lines without changes')
    # A census whose last event is missing does not count.
    cut = text[:text.rindex('{"event":"heap"')]
    (case.FOLDER / 'same.json').write_text(
        cut.replace('"name":"Session","count":', '"name":"Session","count":9'))
    table = compare('run.json', 'same.json')[1]
    case.equal(changes(table, 'Session')[0] % 100, 0, 'sessions')


def refused(text, message):
    (case.FOLDER / 'bad.json').write_text(text)
    case.equal(compare('before.json', 'bad.json'),
               (1, '', f'xtrace: bad.json{message}\n'), repr(text))


def test_bad():
    good = (case.FOLDER / 'before.json').read_text().splitlines()[0]
    refused('', ': no whole census of a heap')
    refused(good, ': no whole census of a heap')
    for text in ('x', '{"event":"call"}', good[:-1], good + 'x',
                 good.replace('"count":', '"count":-'),
                 good.replace('"bytes":', '"bytes":9e99,"other":'),
                 '{"event":"row","name":"f","calls":1,"total":1}'):
        refused(text, f', line 1: {LINES}')
    refused(good + '\nx', f', line 2: {LINES}')
    row = '{"event":"row","name":"f","calls":1,"total":1}\n'
    (case.FOLDER / 'row.json').write_text(row)
    case.equal(compare('row.json', 'before.json'),
               (1, '', 'xtrace: before.json, line 1: not a line of a table that '
                '--summary --json writes\n'), 'a summary beside a census')
    # Escape sequences in a name do not reach the terminal.
    line = json.dumps({'event': 'class', 'time': 1, 'pid': 1, 'language':
                       '\x1b[1m', 'name': '\x1b[2m', 'count': 1, 'bytes': 2})
    heap = line.replace('class', 'heap')
    (case.FOLDER / 'bad.json').write_text(f'{line}\n{heap}\n')
    out = compare('before.json', 'bad.json', options=['--top', '9999'])[1]
    case.true('\x1b' not in out and 'changes of \\033[1m' in out, out)


def test():
    if sys.version_info[:2] != (3, 11):
        case.skip('no Python 3.11')
    test_runs()
    test_interval()
    test_bad()


case.main(test)
