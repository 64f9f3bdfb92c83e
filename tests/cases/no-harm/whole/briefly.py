#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Functions of libpython (PyDict_*), and the addresses to which they return, have
jumps while tests of CPython's own suite and threads run them
(support/promoting.py).

TIMEOUT: 120
"""
import case
import promoting


def test():
    promoting.promote_all(promoting.python(
        'libpython3.11.so.1.0', 'test.test_iter', 'test.test_with'),
        prefix='PyDict_')


case.main(test)
