#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every function of libperl that a program with threads calls, and every
address to which it returns, has a jump while the threads run
(support/promoting.py).

SLOW:
TIMEOUT: 900
"""
import case
import promoting


def test():
    promoting.promote_all(promoting.Whole(
        promoting.LIBRARIES + 'libperl.so.5.36',
        [case.build('perl.c'), case.SUPPORT / 'work.pl']))


case.main(test)
