#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every function of libruby that a program with threads calls, and every
address to which it returns, has a jump while the threads run
(support/promoting.py).

SLOW:
TIMEOUT: 900
"""
import case
import promoting


def test():
    promoting.promote_all(promoting.Whole(
        promoting.LIBRARIES + 'libruby-3.1.so.3.1',
        ['/usr/bin/ruby', case.SUPPORT / 'work.rb']))


case.main(test)
