#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A dlopen() stops the thread twice, before and after the loader's list has
changed. A third stop, at the library's first constructor, is made only if
something is planned that needs the relocated library.
"""
import os
import re

import case


def traps(program, count, *options):
    tracer = case.trace('--stats', *options, command=[program, str(count)])
    case.equal(tracer.wait(), 0, 'status')
    return int(re.search(r'stops: trap (\d+)', tracer.child.err)[1])


def a_library(program, *options):
    more = traps(program, 4, *options) - traps(program, 1, *options)
    return more / 3


def test():
    program = case.build('opens.c')
    case.equal(a_library(program, '-x', 'nowhere'), 2, 'stops a library')
    # The callee of an import is known when the library is relocated (before
    # glibc 2.41 the loader tells of the library earlier).
    stops = a_library(program, '-e', 'nowhere')
    release = os.confstr('CS_GNU_LIBC_VERSION').split()[1]
    early = [int(part) for part in release.split('.')] < [2, 41]
    case.true(stops == 3 if early else stops in (2, 3),
              f'{stops} stops a library, if calls out of it may be shown')


case.main(test)
