#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every function of libpython that parts of CPython's own test suite call, and
every address to which it returns, has a jump while threads run them
(support/promoting.py).

SLOW:
TIMEOUT: 900
"""
import case
import promoting


def test():
    promoting.promote_all(promoting.python(
        'libpython3.11.so.1.0', *(f'test.test_{name}' for name in (
            'generators', 'class', 'copy', 'float', 'format', 'iter', 'with',
            'super', 'string', 'grammar'))))


case.main(test)
