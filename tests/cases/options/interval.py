#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--summary --interval: a fresh table while the program runs, each of what came
since, and one of everything at the end; a file's lines do not wait longer than
a second.
"""
import case

HEAD = '%anytotal%any  function'


def tables(tracer):
    return [line for line in tracer.lines() if line.endswith('functions, ')
            or ' calls of ' in line]


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
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '--summary', '--interval', '1s', '-x', 'f')
    subject.say('3')
    case.until(lambda: '3 calls of 1 functions' in ''.join(tables(tracer)),
               'a table of the first three calls')
    subject.say('2')
    case.until(lambda: '2 calls of 1 functions' in ''.join(tables(tracer)),
               'a table of the next two calls')
    subject.say('')
    case.finish(subject)
    tracer.wait(0)
    case.true(tables(tracer)[-1].startswith('5 calls of 1 functions, '),
              f'the last is of everything: {tables(tracer)}')
    case.contains(tracer.lines(), '%time', HEAD, '%any  f', '3 calls of %any',
                  '', '%time', HEAD, '%any  f', '2 calls of %any', '',
                  HEAD, '%any  f', '5 calls of %any')


def test():
    program = case.build('interval.c')
    test_lines(program)
    test_tables(program)


case.main(test)
