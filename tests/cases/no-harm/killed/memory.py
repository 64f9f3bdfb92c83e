#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""In each run, one allocation of xtrace fails: the first one, then some of the
later ones, in turn. See tests/kills/memory.py.

NEEDS: plain
TIMEOUT: 400
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import memory                                               # noqa: E402


def test():
    for goes_on in (False, True):
        print('started', dict(memory.started(4, goes_on)))
        print('attached', dict(memory.attached(4, goes_on)))


case.main(test)
