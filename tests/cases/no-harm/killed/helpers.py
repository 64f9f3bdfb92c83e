#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed while it traces the threads that the C library makes for
timers and asynchronous reads (SIGEV_THREAD). They block all signals. Such a
thread lives if xtrace has given it a virtual mask; a few are so new that it has
none yet (docs/SURVIVAL.md, which has the frequency). Without virtual masks half
of the kills were deadly. `make kills OF=aio-20-1` makes more rounds.

NEEDS: plain
TIMEOUT: 120
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import pools                                                # noqa: E402

KILLS = 16
DEATHS = 2  # at most; one in some 250 kills is usual


def test():
    for kind in 'timer-20-1', 'aio-20-1':
        counts = pools.run(kind, KILLS, 1)
        print(kind, dict(counts))
        case.true(counts['deaths'] <= DEATHS, f'{kind}: {dict(counts)}')


case.main(test)
