#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Ruby's frames and lines are the same that Ruby's caller reports, for each of
more than a thousand calls, on two threads.

TIMEOUT: 60
"""
import case
import stackcase


def command(count):
    return lambda path: ['/usr/bin/ruby', case.SUPPORT / 'ruby_subject.rb', path,
                         str(count)]


def test():
    stackcase.run(command(300), 'umask', 'int umask(int);')
    stackcase.run_json(command(50), 'umask')
    stackcase.run_folded(command(50), 'umask')


case.main(test)
