#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed while it traces threads that block all signals, and no
program dies: a pool that makes two calls each 20 ms in each of four threads,
and the threads of a timer with SIGEV_THREAD. `make kills OF=pool-20-4` makes
more rounds.

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
    for name, kills in (('pool-20-4', 12), ('timer-20-1', 10)):
        counts = pools.run(name, kills, 1)
        print(name, dict(counts))
        case.equal(counts['deaths'], 0, f'{name}: deaths')


case.main(test)
