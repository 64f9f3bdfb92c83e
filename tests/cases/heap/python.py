#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap counts the objects of a Python script as Python itself does: exactly
if the script waits, and within 1 % if it makes objects at full speed. The bytes of
the parts of objects, which have blocks of their own, are in the rows of the
objects. The script is not stopped, and does not notice it.

TIMEOUT: 60
"""
import re
import sys

import case
import heapcase

SLOTS = 48  # bytes of an object, with the collector's header


def start(*words):
    subject, own, blocks = heapcase.start(
        case.PYTHON, case.SUPPORT / 'heap_python.py', *words)
    # The names of classes are changed to the form in which xtrace writes them.
    return subject, {name.strip("'").replace('\\x1b', '\\033'): count
                     for name, count in own.items()}, blocks


def larger_blocks(text):
    found = re.search(r'not counted: (\d+) blocks of more than 512 bytes', text)
    case.true(found, f'its end: {text[-200:]}')
    return int(found[1])


def test_waiting():
    subject, own, blocks = start()
    rows, (count, size, mapped), text = heapcase.check_waiting(subject, own)
    case.true(size < mapped, f'{size} of {mapped} bytes')
    parts = re.findall(r'^bytes (\d+) (\w+)$', subject.out, re.M)
    case.equal([name for _, name in parts], ['Row', 'Pairs', 'Bag', 'Raw', 'Name', 'Plain'],
               'classes with parts')
    for size_of, name in parts:
        case.equal(rows[name][1], int(size_of), f'bytes of {name}')
    case.equal(rows['Slots'][1], own['Slots'] * SLOTS, 'bytes of Slots')
    for name, least in ('tuple', 3000), ('dict', 4000), ('float', 7000):
        case.true(least <= rows[name][0] < least + 3000,
                  f'{rows[name][0]} of {name}')
    larger = larger_blocks(text)
    found = re.search(rf'^  {heapcase.NUMBER} more blocks are parts of these '
                      r'objects, and their bytes are in the rows$', text, re.M)
    more = heapcase.number(found[1])
    # The script uses some blocks to write its number of blocks.
    case.true(abs(count + more + larger - blocks) < 200,
              f'{count}, {more} and {larger} blocks, {blocks} by Python')
    # Of the blocks that are no objects, only few have no owner.
    case.true(rows['(parts of objects)'][0] * 10 < more,
              f'{rows["(parts of objects)"]}, {more} have an owner')
    case.true('not counted: 1 pages' not in text, 'pages')
    heapcase.end(subject, f'False {sum(range(30000))}')


def test_running():
    subject, own, _ = start('make')
    # The thread of the script has up to 500 objects, which are not in `own`.
    for _ in range(5):
        rows = heapcase.rows_of(heapcase.census(subject.pid)[0])
        for name in 'Plain', 'Slots':
            case.true(own[name] * 0.99 <= rows[name][0] <=
                      own[name] * 1.01 + 500,
                      f'{rows[name][0]} of {name}, {own[name]} are kept')
        for name in 'Text', 'Number', 'Inner', 'Derived':
            case.true(own[name] * 0.99 <= rows[name][0] <= own[name],
                      f'{rows[name][0]} of {name}, {own[name]} are kept')
        heapcase.check_names(rows, 200)
    heapcase.end(subject, f'True {sum(range(30000))}')


def test_still():
    """With --heap=still, all numbers are of one moment, because the script is
    stopped."""
    subject, own, _ = start('make')
    for _ in range(3):
        text = heapcase.census(subject.pid, option='--heap=still')[0]
        rows = heapcase.rows_of(text)
        for name in 'Plain', 'Slots':
            case.true(own[name] <= rows[name][0] <= own[name] + 500,
                      f'{rows[name][0]} of {name}, {own[name]} are kept')
        case.true(heapcase.STOPPED.search(text), text[-200:])
        case.true(' pages, ' not in text, text[-200:])
    heapcase.end(subject, f'True {sum(range(30000))}')


def test_refused():
    subject = case.start('cat')
    case.wait_for_input(subject.pid)  # exec(2) is over
    said = heapcase.census(subject.pid, status=1)
    case.equal(said, ('', f'xtrace: process {subject.pid} has no heap that '
                      'xtrace knows: it runs no Python 3.11, Ruby 3.1, PHP 8.2 '
                      'or Perl 5.36 (--heap=native counts the blocks of '
                      'malloc())\n'),
               'cat')
    subject.close_input()
    case.finish(subject)
    for words, sentence in (
            (['--heap'], '--heap counts the objects of running processes'),
            (['--heap', '-p', '1', '--', 'true'], 'of a command at its end'),
            (['--heap', '--interval', '1s', '--', 'true'],
             'so --interval and --duration have no effect'),
            (['--heap', '-p', '1', '-u', 'root'], '-u needs a command'),
            (['--heap=here', '-p', '1'], "--heap: 'here' is not still or native"),
            (['--heap=native', '--heap-strings', '-p', '1'],
             'so --heap-strings has no effect'),
            (['--heap', '-p', '1', '--duration', '1s'],
             'no effect without --interval'),
            (['--heap', '-p', '1', '-T'], 'so --call-times has no effect')):
        run = case.start(case.XTRACE, *words)
        case.equal(run.wait(), 2, f'{words}')
        case.true(sentence in run.err, f'{words}: {run.err}')


def test():
    if sys.version_info[:2] != (3, 11):
        case.skip('no Python 3.11')
    test_waiting()
    test_running()
    test_still()
    test_refused()


case.main(test)
