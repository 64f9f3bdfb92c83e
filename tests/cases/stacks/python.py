#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Python's frames and lines are the same that Python reports, for each of more
than a thousand calls, with Debian's Python and with others that are installed.

TIMEOUT: 120
"""
import pathlib
import pwd
import os

import case
import stackcase

COUNT = '500'
FEW = '100'


def others():
    """Pythons that pyenv has built."""
    home = pathlib.Path(pwd.getpwuid(os.getuid()).pw_dir)
    found = sorted(home.glob('.pyenv/versions/3.*/bin/python3'))
    return [path for path in found if '/3.6.' not in str(path)]


def test():
    def command(python, count):
        return lambda path: [python, case.SUPPORT / 'python_subject.py', path,
                             count]
    debian = command(case.PYTHON, COUNT)
    stackcase.run(debian, 'isatty', 'int isatty(int);', least=1200)
    stackcase.run_json(command(case.PYTHON, FEW), 'isatty')
    stackcase.run_folded(command(case.PYTHON, FEW), 'isatty')
    for python in others():
        try:
            stackcase.run(command(python, FEW), 'isatty', 'int isatty(int);',
                          least=300)
        except case.Failure as fault:
            case.fail(f'{python}: {fault}')


case.main(test)
