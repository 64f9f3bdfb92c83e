#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap=native of a program that runs with glibc 2.41, which Debian 13 has: the
numbers are those of the program itself, to the byte.

SLOW: another release of glibc is downloaded
TIMEOUT: 300
"""
import case
import glibc
import nativecase


def test():
    try:
        subject = nativecase.start(glibc='2.41')
    except glibc.Unavailable as why:
        case.skip(str(why))
    nativecase.check_exact(subject, 'glibc 2.41')
    nativecase.end(subject)


case.main(test)
