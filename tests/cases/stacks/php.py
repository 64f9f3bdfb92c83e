#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""PHP's frames and lines are the same that debug_backtrace() reports, for each
of more than a thousand calls.

TIMEOUT: 60
"""
import case
import stackcase


def command(count):
    return lambda path: ['/usr/bin/php', case.SUPPORT / 'php_subject.php', path,
                         str(count)]


def test():
    stackcase.run(command(300), 'isatty', 'int isatty(int);')
    stackcase.run_json(command(50), 'isatty')
    stackcase.run_folded(command(50), 'isatty')


case.main(test)
