#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed while it traces a pool of four threads that block all
signals and make two calls each 20 ms, and the program does not die. `make kills
OF=pool-20-4` makes more rounds, and tries other pools.

NEEDS: plain
TIMEOUT: 120
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import pools                                                # noqa: E402


def test():
    counts = pools.run('pool-20-4', 16, 1)
    print(dict(counts))
    case.equal(counts['deaths'], 0, 'deaths')


case.main(test)
