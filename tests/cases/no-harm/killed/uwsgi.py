#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed while it traces uWSGI with four threads, which block all
signals and answer requests, and uWSGI continues to answer. `make kills
OF=uwsgi-20-4` makes more rounds.

NEEDS: plain uwsgi_python3
TIMEOUT: 120
"""
import os
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'kills'))

import case                                                 # noqa: E402
import pools                                                # noqa: E402


def test():
    counts = pools.run('uwsgi-20-4', 16, 1)
    print(dict(counts))
    case.equal(counts['deaths'], 0, 'deaths')


case.main(test)
