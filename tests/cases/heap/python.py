#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap counts the objects of a Python script as Python itself does: exactly
if the script waits, and within 1 % if it makes objects at full speed. The script
is not stopped, and does not notice it.

TIMEOUT: 60
"""
import re
import sys

import case
import heapcase

PLAIN, SLOTS = 64, 48  # bytes of an object, with the collector's header


def start(*words):
    subject = case.start(case.PYTHON, case.SUPPORT / 'heap_python.py', *words)
    subject.wait_for('all')
    ready, *lines = subject.out.splitlines()[:-1]
    own = {}
    for line in lines:
        count, name = line.split(' ', 1)
        # As xtrace writes it.
        own[name.strip("'").replace('\\x1b', '\\033')] = int(count)
    return subject, int(ready.split()[1]), own


def end(subject, made):
    subject.say('end')
    case.finish(subject)
    case.equal(subject.out.splitlines()[-1], f'{made} {sum(range(30000))}',
               'what it says')
    case.equal(subject.err, '', 'what it says')


def larger_blocks(text):
    found = re.search(r'not counted: (\d+) blocks of more than 512 bytes', text)
    case.true(found, f'its end: {text[-200:]}')
    return int(found[1])


def test_waiting():
    subject, blocks, own = start()
    text, err = heapcase.census(subject.pid)
    case.equal(err, '', 'what xtrace says')
    rows = heapcase.rows_of(text)
    for name, count in own.items():
        case.equal(rows[name][0], count, name)
    case.equal(rows['Plain'][1], own['Plain'] * PLAIN, 'bytes of Plain')
    case.equal(rows['Slots'][1], own['Slots'] * SLOTS, 'bytes of Slots')
    for name, least in ('tuple', 3000), ('dict', 4000), ('float', 7000):
        case.true(least <= rows[name][0] < least + 3000,
                  f'{rows[name][0]} of {name}')
    count, size, mapped = heapcase.last_row(text)
    larger = larger_blocks(text)
    case.equal(sum(row[0] for row in rows.values()), count, 'all objects')
    case.equal(sum(row[1] for row in rows.values()), size, 'all bytes')
    case.true(size < mapped, f'{size} of {mapped} bytes')
    # To write the number takes some blocks.
    case.true(abs(count + larger - blocks) < 200,
              f'{count} and {larger} blocks, {blocks} by Python')
    case.true('not counted: 1 pages' not in text, 'pages')
    # The same from the same memory.
    case.equal(heapcase.census(subject.pid)[0], text, 'a second census')
    end(subject, False)


def test_running():
    subject, _, own = start('make')
    # Up to 500 objects of the thread are there in addition.
    for _ in range(5):
        rows = heapcase.rows_of(heapcase.census(subject.pid)[0])
        for name in 'Plain', 'Slots':
            case.true(own[name] * 0.99 <= rows[name][0] <=
                      own[name] * 1.01 + 500,
                      f'{rows[name][0]} of {name}, {own[name]} are kept')
        for name in 'Text', 'Number', 'Inner', 'Derived':
            case.true(own[name] * 0.99 <= rows[name][0] <= own[name],
                      f'{rows[name][0]} of {name}, {own[name]} are kept')
        case.true(all(name.isprintable() for name in rows), f'{list(rows)}')
        case.true(len(rows) < 200, f'{len(rows)} classes')
    end(subject, True)


def test_refused():
    subject = case.start('cat')
    said = heapcase.census(subject.pid, status=1)
    case.equal(said, ('', f'xtrace: process {subject.pid} has no heap that '
                      'xtrace knows: it runs no Python 3.11 and no Ruby 3.1\n'),
               'cat')
    subject.close_input()
    case.finish(subject)
    for words, sentence in (
            (['--heap'], '--heap looks at running processes'),
            (['--heap', '--', 'true'], '--heap looks at running processes'),
            (['--heap', '-p', '1', '-T'], 'so --call-times has no effect')):
        run = case.start(case.XTRACE, *words)
        case.equal(run.wait(), 2, f'{words}')
        case.true(sentence in run.err, f'{words}: {run.err}')


def test():
    if sys.version_info[:2] != (3, 11):
        case.skip('no Python 3.11')
    test_waiting()
    test_running()
    test_refused()


case.main(test)
