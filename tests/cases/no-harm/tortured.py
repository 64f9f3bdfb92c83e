#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A short torture of each kind (`make torture` is a long one): attached to and
left at random, by all means, while it forks, execs, loads, jumps, blocks and is
sent signals, a program is each time as it would be without us.

TIMEOUT: 240
"""
import os
import sys

import case

sys.path.insert(0, os.path.join(os.environ['TESTS'], 'torture'))
import torture                                              # noqa: E402

SECONDS = 6
LEAST = 4  # rounds, in more time if need be; twenty and more is usual


def test():
    for own, seed in (('own', 3), ('default', 1)):
        counts = torture.torture(SECONDS, seed, (), own, LEAST)
        print(f"{own}, seed {seed}: {counts['rounds']} rounds, "
              f"{counts['execs']} execs, {counts['lines']} lines")


case.main(test)
