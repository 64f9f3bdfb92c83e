#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every function of libcrypto that CPython's own tests of hashlib and ssl call,
and every address to which it returns, has a jump while threads run them
(support/promoting.py).

SLOW:
TIMEOUT: 1800
"""
import case
import promoting


def test():
    promoting.promote_all(promoting.python(
        'libcrypto.so.3', 'test.test_hmac', 'test.test_hashlib.KDFTests',
        *(f'test.test_ssl.{name}' for name in (
            'BasicSocketTests', 'SSLErrorTests', 'MemoryBIOTests'))))


case.main(test)
