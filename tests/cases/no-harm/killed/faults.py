#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace ends by a fault or a failed assertion of its own, also after its
watcher has died, or both are killed: see tests/kills.

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
    for means in ['fault:', 'abort:', 'kill:']:
        counts = kills.run('threads', 3, 1, [means])
        print(means, dict(counts))


case.main(test)
