#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A short torture of each kind; `make torture` is a long one. At random times
and in every way, xtrace attaches to a program and leaves it, while the program
forks, execs, loads libraries, jumps, blocks and gets signals. After each round
the program must be as it would be without xtrace.

TIMEOUT: 240
"""
import os
import sys

import case

sys.path.insert(0, os.path.join(os.environ['TESTS'], 'torture'))
import torture                                              # noqa: E402

SECONDS = 6
LEAST = 4  # rounds, even after SECONDS; usually there are over twenty


def test():
    for own, seed in (('own', 3), ('default', 1)):
        counts = torture.torture(SECONDS, seed, (), own, LEAST)
        print(f"{own}, seed {seed}: {counts['rounds']} rounds, "
              f"{counts['execs']} execs, {counts['lines']} lines")
        case.equal(counts[torture.LOST['trap']], 0, 'lost SIGTRAPs')
        case.true(counts['deeds of mask'] > 0, 'a thread blocks SIGTRAP')


case.main(test)
