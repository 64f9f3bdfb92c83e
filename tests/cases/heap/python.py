#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap counts the objects of a Python script as Python itself does: exactly
if the script waits, and within 1 % if it makes objects at full speed. The script
is not stopped, and does not notice it.

NEEDS: ruby
TIMEOUT: 60
"""
import re
import sys

import case

ROW = re.compile(r' *(\d[\d ]*?\d|\d) {2,}(\d[\d ]*?\d|\d)  (.*)$')
PLAIN, SLOTS = 64, 48  # bytes of an object, with the collector's header


def number(text):
    return int(text.replace(' ', ''))


def census(pid, *options, status=0):
    run = case.start(case.XTRACE, '--heap', '--top', '9999', '-p', str(pid),
                     *options)
    case.equal(run.wait(), status, f'status, {run.err}')
    return run.out, run.err


def rows_of(text):
    """name -> (count, bytes) of each row; two classes may have one name."""
    rows = {}
    head, *lines = text.splitlines()
    case.true(head.split() == ['count', 'bytes', 'class'], head)
    for line in lines:
        match = ROW.match(line)
        if match:
            count, size, name = number(match[1]), number(match[2]), match[3]
            before = rows.get(name, (0, 0))
            rows[name] = before[0] + count, before[1] + size
    return rows


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


def last_rows(text):
    """The row of all objects, the heap's bytes, and the larger blocks."""
    everything = re.search(r'^ *([\d ]+\d) {2,}([\d ]+\d)  in all, of ([\d ]+) '
                           r'bytes of the heap$', text, re.M)
    larger = re.search(r'not counted: (\d+) blocks of more than 512 bytes', text)
    case.true(everything and larger, f'its end: {text[-200:]}')
    return *map(number, everything.groups()), int(larger[1])


def test_waiting():
    subject, blocks, own = start()
    text, err = census(subject.pid)
    case.equal(err, '', 'what xtrace says')
    rows = rows_of(text)
    for name, count in own.items():
        case.equal(rows[name][0], count, name)
    case.equal(rows['Plain'][1], own['Plain'] * PLAIN, 'bytes of Plain')
    case.equal(rows['Slots'][1], own['Slots'] * SLOTS, 'bytes of Slots')
    for name, least in ('tuple', 3000), ('dict', 4000), ('float', 7000):
        case.true(least <= rows[name][0] < least + 3000,
                  f'{rows[name][0]} of {name}')
    # Without the last two lines, which are no rows.
    found = [row for name, row in rows.items() if not name.startswith('in all')]
    count, size, mapped, larger = last_rows(text)
    case.equal(sum(row[0] for row in found), count, 'all objects')
    case.equal(sum(row[1] for row in found), size, 'all bytes')
    case.true(size < mapped, f'{size} of {mapped} bytes')
    # To write the number takes some blocks.
    case.true(abs(count + larger - blocks) < 200,
              f'{count} and {larger} blocks, {blocks} by Python')
    case.true('not counted: 1 pages' not in text, 'pages')
    # The same from the same memory.
    case.equal(census(subject.pid)[0], text, 'a second census')
    end(subject, False)


def test_running():
    subject, _, own = start('make')
    # Up to 500 objects of the thread are there in addition.
    for _ in range(5):
        rows = rows_of(census(subject.pid)[0])
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
    subject = case.start('ruby', '-e', '$stdout.sync = true; puts "ready"; gets')
    subject.wait_for('ready')
    said = census(subject.pid, status=1)
    case.equal(said, ('', f'xtrace: process {subject.pid} has no heap that '
                      'xtrace knows: it runs no Python 3.11\n'), 'Ruby')
    subject.say('end')
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
