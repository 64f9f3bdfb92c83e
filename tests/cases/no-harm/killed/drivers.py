#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed at random moments while it traces Python and Ruby programs
that query databases: see tests/kills.

SLOW: it kills fifty times
SERIAL: its programs are busy
NEEDS: plain mariadb
TIMEOUT: 1500
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import kills                                                # noqa: E402


def test():
    for kind in ['python', 'ruby']:
        counts = kills.run(kind, 25, 1)
        print(kind, dict(counts))


case.main(test)
