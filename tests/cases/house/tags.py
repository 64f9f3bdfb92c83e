#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""make/tags finds a tag that two sources, or two kinds of types, define. Uses,
comments and strings define nothing.
"""
import subprocess

import case

TAGS = case.TESTS.parent / 'make/tags'


def tags(*texts):
    """What make/tags prints for files with these texts."""
    paths = []
    for at, text in enumerate(texts):
        paths.append(case.FOLDER / f'{at}.c')
        paths[-1].write_text(text)
    done = subprocess.run([TAGS, *paths], text=True, capture_output=True)
    case.equal(done.stderr, '', 'stderr')
    said = done.stdout.replace(f'{case.FOLDER}/', '').splitlines()
    case.equal(done.returncode, 1 if said else 0, 'status')
    return said


def test():
    one = 'struct a {\n\tint b;\n};\n'
    twice = ['tags: a is defined in 0.c:1 and 1.c:2']
    for texts, wanted in (
            ((one,), []),
            ((one, '\n' + one), twice),
            ((one, '\nenum a { B };\n'), twice),
            ((one, '\nstruct __attribute__((packed)) a { int c; };\n'), twice),
            ((one, '\nstruct c { union a\n\t{ int d; } e; };\n'), twice),
            ((one, 'struct a;\nstruct a f(struct a *a)\n{\n}\n'), []),
            ((one, 'struct { int b; } x, y = { 0 };\nstruct a z = { 0 };\n'),
             []),
            ((one, '/* struct a { int b; } */ char c = \'"\';\n'
              'char d[] = "struct a {";\n'), []),
            ((one, one, 'struct d { int b; };\n', one),
             ['tags: a is defined in 0.c:1 and 1.c:1 and 3.c:1']),
    ):
        case.equal(tags(*texts), wanted, repr(texts))


case.main(test)
