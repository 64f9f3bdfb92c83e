# SPDX-License-Identifier: GPL-2.0-or-later
"""deep.py N [native]: makes N calls of isatty() from a depth of ten frames;
with `native`, native functions are between them.
"""
import os
import sys


def leaf(n):
    isatty = os.isatty
    for _ in range(n):
        isatty(77)


def nest(depth, n):
    if depth == 0:
        return leaf(n)
    return nest(depth - 1, n)


def nest_native(depth, n):
    if depth == 0:
        return leaf(n)
    return list(map(lambda d: nest_native(d, n), [depth - 1]))


if len(sys.argv) > 2:
    nest_native(4, int(sys.argv[1]))
else:
    nest(7, int(sys.argv[1]))
