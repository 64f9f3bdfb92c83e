#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""As faults.py, at many moments.

SLOW: it kills a hundred and fifty times
SERIAL: its threads are busy
NEEDS: plain
TIMEOUT: 1500
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import kills                                                # noqa: E402

MEANS = ['fault', 'fault:', 'abort:', 'kill:']


def test():
    for kind in ['threads', 'signals', 'sleepers', 'children']:
        counts = kills.run(kind, 40, 1, MEANS)
        print(kind, dict(counts))


case.main(test)
