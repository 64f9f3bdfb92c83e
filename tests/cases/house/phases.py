#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The functions by whose names tests/kills finds the phases of xtrace exist:
after a renaming, tests/kills would wait for a phase that never comes.
"""
import os
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import kills                                                # noqa: E402

# Words that killer.c prints in place of the functions of a stack.
ANSWERS = {'alone', 'unseen', '-'}


def functions():
    """The functions that the sources define, except those of tests."""
    found = set()
    for room in ('base', 'process', 'tracer'):
        for path in (case.TESTS.parent / room).rglob('*.c'):
            found |= set(re.findall(r'^(\w+)\(', path.read_text(), re.M))
    return found


def test():
    names = {word for names in kills.WANTED.values()
             for word in re.split('[,/]', names)}
    names |= {aim.lstrip('!') for aims in kills.AIMS.values() for aim in aims}
    case.equal(sorted(names - functions() - ANSWERS), [],
               'names without a function')


case.main(test)
