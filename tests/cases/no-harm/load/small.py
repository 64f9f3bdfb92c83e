#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A short run of each load, see loads.py.

TIMEOUT: 180
"""
import case
import loads


def test():
    loads.pairs(600, 200, 256)
    loads.pairs(600, 200, 256, 'moved')
    loads.slow_pipe(10000, 200000, 256)
    loads.processes(30, 10)
    loads.threads(100, 20, 10, 1)


case.main(test)
