#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""In which column "= value" begins: with -a, with COLUMNS, and 50 without
either. A wide character counts as two columns.
"""
import unicodedata

import case


def column(*options, env=None):
    """The column of "= value" in the line of the one call, counted from 1."""
    program = case.build('../names/times.c')
    tracer = case.trace(*options, '-F', 'align.conf', '-x', 'f',
                        command=[program], env=env)
    tracer.wait(0)
    line = tracer.lines()[0]
    case.true(line.startswith('f(1)'), line)
    return line.index('= 1') + 1


def width(text):
    """The columns that the text takes on a terminal."""
    return sum(0 if unicodedata.combining(character) else
               1 + (unicodedata.east_asian_width(character) in 'WF')
               for character in text)


def test_wide():
    (case.FOLDER / 'wide.conf').write_text('int f(string, hide(int));\n')
    tracer = case.trace('-F', 'wide.conf', '-x', 'f',
                        command=[case.build('wide.c')], env={'COLUMNS': ''})
    tracer.wait(0)
    lines = tracer.lines()[:4]
    case.same([line.split('"')[1] for line in lines],
              ['Film', 'Jalape\u00f1o', '\u65e5\u672c', 'e\u0301'], 'the texts')
    case.equal([width(line[:line.index('= ')]) + 1 for line in lines],
               [50] * 4, 'columns')


def test():
    test_wide()
    (case.FOLDER / 'align.conf').write_text('int f(int);\n')
    case.equal(column(env={'COLUMNS': ''}), 50, 'by itself')
    case.equal(column(env={'COLUMNS': '160'}), 100, 'COLUMNS 160')
    case.equal(column('-a', '20', env={'COLUMNS': '160'}), 20, '-a 20')
    case.equal(column('--align=12'), 12, '--align=12')
    case.equal(column('-a0'), 6, '-a0: one blank')
    case.equal(column('-a', '3'), 6, '-a 3: one blank')


case.main(test)
