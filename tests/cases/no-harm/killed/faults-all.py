#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The faults and kills of faults.py, at more moments, and with Python and Ruby.

SLOW: it kills two hundred times
SERIAL: its threads are busy
NEEDS: plain mariadb
TIMEOUT: 1500
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import kills                                                # noqa: E402

KINDS = {'threads': 40, 'signals': 40, 'sleepers': 40, 'children': 40,
         'python': 25, 'ruby': 25}
MEANS = ['fault', 'fault:', 'abort:', 'kill:']


def test():
    for kind, count in KINDS.items():
        counts = kills.run(kind, count, 1, MEANS)
        print(kind, dict(counts))


case.main(test)
