#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Perl's frames and lines are the same that caller() reports, for each of more
than a thousand calls, also in a second interpreter in its own thread.

TIMEOUT: 60
"""
import case
import stackcase


def command(count):
    return lambda path: ['/usr/bin/perl', case.SUPPORT / 'perl_subject.pl', path,
                         str(count)]


def test():
    stackcase.run(command(200), 'tcdrain', 'int tcdrain(int);')
    stackcase.run_json(command(50), 'tcdrain')
    stackcase.run_folded(command(50), 'tcdrain')


case.main(test)
