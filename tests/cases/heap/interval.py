#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap --interval shows what has changed in a heap, by class: exactly what a
script has made and dropped. It ends with the script, after the duration, or by a
signal. --json writes the same as events.

TIMEOUT: 60
"""
import json
import re
import sys

import case
import jsonschema

SCRIPT = """
import sys
class Session: __slots__ = ('one',)
class Cache: __slots__ = ('one',)
class Steady: __slots__ = ('one',)
kept, caches = [], [Cache() for _ in range(1000)]
steady = [Steady() for _ in range(500)]
print('all', flush=True)
for line in sys.stdin:
    kept += [Session() for _ in range(100)]
    del caches[:10]
    print('grown', len(kept), flush=True)
print('over')
"""
HEAD = re.compile(r' +count +bytes  class, changes in (\d+)\.\d s$')
SCHEMA = case.TESTS.parent / 'docs' / 'json-schema.json'


def start():
    subject = case.start(case.PYTHON, '-c', SCRIPT)
    subject.wait_for('all')
    case.wait_for_input(subject.pid)
    return subject


def end(subject):
    subject.close_input()
    case.finish(subject)
    case.equal(subject.out.splitlines()[-1], 'over', 'what it says')
    case.equal(subject.err, '', 'what it says')


def changes(table, name):
    """The changes of a class: objects and bytes."""
    found = re.findall(rf'^ +([-+]?[\d ]+\d|0) {{2,}}([-+]?[\d ]+\d|0)  {name}$',
                       table, re.M)
    case.true(len(found) <= 1, table)
    return [int(text.replace(' ', '')) for text in found[0]] if found else [0, 0]


def tables(text):
    """The table of the whole heap, and the tables of the changes."""
    first, *rest = text.split('\n\n')
    case.true(all(HEAD.match(table.splitlines()[0]) for table in rest), text)
    return first, rest


def check_tables(run, last):
    """The last table of changes is the sum of the other tables of changes."""
    first, rest = tables(run.out)
    case.true(re.search(r' 1 000 +\d\d 000  Cache$', first, re.M), first)
    *parts, whole = rest
    for name in 'Session', 'Cache':
        sums = [sum(changes(part, name)[i] for part in parts) for i in (0, 1)]
        case.equal(changes(whole, name), sums, f'changes of {name} in all')
    grown = changes(whole, 'Session')
    case.equal(grown[0], last, 'sessions that were made')
    case.true(grown[1] % grown[0] == 0 and grown[1] > 0, f'{grown}')
    gone = changes(whole, 'Cache')
    case.equal(gone[0], -last // 10, 'caches that were dropped')
    case.true('Steady' not in ''.join(rest), 'a class that does not change')
    # The largest growth comes first.
    sizes = [changes(whole, name)[1] for name in ('Session', 'Cache')]
    case.true(sizes[0] > 0 > sizes[1] and
              whole.index('  Session') < whole.index('  Cache'), whole)


def grow(subject, run):
    """Lets the script grow, and waits until a table has shown it: the census of
    the next table may have begun before."""
    subject.say('grow')
    subject.wait_for('grown')
    for _ in range(2):
        run.wait_for('  in all')


def test_tables():
    for stop in 'signal', 'end':
        subject = start()
        run = case.start(case.XTRACE, '--heap', '--top', '9999', '--interval',
                         '1s', '-p', str(subject.pid))
        run.wait_for('in all, of ')
        grow(subject, run)
        grow(subject, run)
        if stop == 'signal':
            run.signal(2)
            case.equal(run.wait(), 0, f'status, {run.err}')
            end(subject)
        else:
            end(subject)
            case.equal(run.wait(), 0, f'status, {run.err}')
        case.equal(run.err, '', 'what xtrace says')
        check_tables(run, 200)


def test_json():
    subject = start()
    validator = jsonschema.Draft202012Validator(json.loads(SCHEMA.read_text()))
    run = case.start(case.XTRACE, '--heap=still', '--json', '--interval', '1s',
                     '--duration', '1s', '-p', str(subject.pid))
    case.equal(run.wait(), 0, f'status, {run.err}')
    end(subject)
    events = [json.loads(line) for line in run.out.splitlines()]
    for event in events:
        validator.validate(event)
        case.equal((event['pid'], event['language']),
                   (subject.pid, 'Python 3.11'), 'of which heap')
    heaps = [event for event in events if event['event'] == 'heap']
    case.equal(len(heaps), 2, 'censuses')
    case.equal(heaps[0]['held'], 0, 'the script waits')
    steady = [event for event in events if event.get('name') == 'Steady']
    case.equal([event['count'] for event in steady], [500, 500], 'Steady')
    rows = events[:events.index(heaps[0])]
    case.equal(sum(row['bytes'] for row in rows), heaps[0]['bytes'], 'bytes')
    case.equal(len(rows), heaps[0]['classes'], 'classes')


def test():
    if sys.version_info[:2] != (3, 11):
        case.skip('no Python 3.11')
    test_tables()
    test_json()


case.main(test)
