#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""One allocation of xtrace fails in each run: the first one, then the second
one, and so on; from the 60th on, their distance grows. If the environment has
XTRACE_EVERY (make allocations), every allocation of the first commands fails
once. tests/kills/memory.py says what is checked.

SLOW: some thousand runs
SERIAL: its threads are busy
NEEDS: plain
TIMEOUT: 3000
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import memory                                               # noqa: E402


def test():
    for goes_on in (False, True):
        for number in range(3):
            more = 0 if number == 0 and 'XTRACE_EVERY' in os.environ else 60
            print('started', dict(memory.started(more, goes_on, number)))
            print('attached', dict(memory.attached(more, goes_on, number)))


case.main(test)
