#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make/budgets finds a file, a function and a parameter list that are too
long, and an exception that is not needed. Tables and comments do not count.

TIMEOUT: 60
"""
import subprocess

import case

BUDGETS = case.TESTS.parent / 'make/budgets'
FUNCTION = 'static int\nf{0}({1})\n{{\n{2}\treturn 0;\n}}\n'


def function(number, parameters='void', lines=1):
    """A function with this number of lines from its name to its last brace."""
    return FUNCTION.format(number, parameters, '\tg();\n' * (lines - 4))


def integers(count):
    return ', '.join(f'int a{at}' for at in range(count))


def budgets(text, known=''):
    """What make/budgets prints for a file with this text."""
    path = case.FOLDER / 'x.c'
    path.write_text(text)
    done = subprocess.run([BUDGETS, '--except', known.replace(
        'x.c', str(path)), path], text=True, capture_output=True)
    case.equal(done.stderr, '', 'stderr')
    said = done.stdout.replace(str(path), 'x.c').splitlines()
    case.equal(done.returncode, 1 if said else 0, 'status')
    return said


def test():
    table = 'static const int table[] = {\n' + '\t1,\n' * 700 + '};\n'
    callback = 'int (*call)(int, int, int), ' + integers(5)
    for text, wanted in (
            (function(1, integers(6), 60), []),
            (function(1, integers(7)), ['x.c:f1 has 7 parameters']),
            (function(1, callback), []),
            (function(1, callback + ', int z'), ['x.c:f1 has 7 parameters']),
            (function(1, 'int a, /* b, c, d, e, f, g */ int b'), []),
            (function(1, 'int a,\n   ' + integers(6)),
             ['x.c:f1 has 7 parameters']),
            (function(1, 'void', 61), ['x.c:f1 has 61 lines']),
            (function(1) + function(2, 'void', 70), ['x.c:f2 has 70 lines']),
            (function(1) * 120, []),
            ('START_TEST(lives)\n{\n' + '\tg();\n' * 60 + '}\nEND_TEST\n',
             ['x.c:lives has 63 lines']),
            (function(1) * 121, ['x.c has 605 lines']),
            (table + function(1) * 100, []),
            ('struct a {\n' + '\tint b;\n' * 599 + '};\n',
             ['x.c has 601 lines']),
    ):
        case.equal(budgets(text), [f'budgets: {line}' for line in wanted],
                   text[:200])
    long = function(1, 'void', 61)
    case.equal(budgets(long, 'x.c:f1'), [], 'an exception')
    case.equal(budgets(function(1), 'x.c:f1 x.c'), [
        f'budgets: {name} is within the budgets and needs no exception'
        for name in ('x.c:f1', 'x.c')], 'exceptions that are not needed')


case.main(test)
