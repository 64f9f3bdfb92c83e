#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed some times, and the program runs on: see tests/kills.

NEEDS: plain
TIMEOUT: 120
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import kills                                                # noqa: E402


def test():
    for kind in ['threads']:
        counts = kills.run(kind, 4, 1)
        print(kind, dict(counts))


case.main(test)
