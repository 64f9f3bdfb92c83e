#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--summary --interval: a fresh table while the program runs, each of what came
since, and one of everything at the end; a file's lines do not wait longer than
a second.
"""
import case

HEAD = '%anytotal%any  function'


def counts(tracer):
    """How many calls each table counts."""
    return [int(line.split()[0]) for line in tracer.lines()
            if ' calls of 1 functions' in line]


def test_lines(program):
    """Nothing more happens, and the line comes into its file all the same."""
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f')
    subject.say('1')
    case.until(tracer.calls, 'the line of the one call')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)


def test_tables(program):
    """A table's end may fall between two calls: their sums are what counts."""
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '--summary', '--interval', '1s', '-x', 'f')
    subject.say('3')
    case.until(lambda: sum(counts(tracer)) == 3,
               'tables of the first three calls')
    first = len(counts(tracer))
    subject.say('2')
    case.until(lambda: sum(counts(tracer)) == 5,
               'tables of the next two calls')
    case.true(len(counts(tracer)) > first, 'they are in tables of their own')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)
    *parts, last = counts(tracer)
    case.equal((sum(parts), last), (5, 5), 'the last is of everything')
    case.contains(tracer.lines(), '%time', HEAD, '%any  f', '%num calls of %any',
                  '', '%time', HEAD, '%any  f', '%num calls of %any', '',
                  HEAD, '%any  f', '5 calls of %any')


def test():
    program = case.build('interval.c')
    test_lines(program)
    test_tables(program)


case.main(test)
