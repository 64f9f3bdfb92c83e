#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every exported function of php that a program calls, and every address to
which it returns, has a jump while it runs (support/promoting.py).

SLOW:
TIMEOUT: 900
"""
import case
import promoting


def test():
    promoting.promote_all(promoting.Whole(
        '/usr/bin/php8.2', ['/usr/bin/php', '-n', case.SUPPORT / 'work.php']))


case.main(test)
