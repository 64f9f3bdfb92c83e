#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""`make bench` measures all rows, and with ROWS only those."""
import subprocess

import case


def command(*words):
    """The last command that make would run."""
    run = subprocess.run(['make', '-n', 'bench', *words], cwd=case.TESTS.parent,
                         stdout=subprocess.PIPE, text=True, check=True)
    return run.stdout.splitlines()[-1].split()


def test():
    case.equal(command(), ['bench/run', '--build', 'build'], 'all rows')
    case.equal(command('ROWS=call where'),
               ['bench/run', '--build', 'build', 'call', 'where'], 'two rows')


case.main(test)
