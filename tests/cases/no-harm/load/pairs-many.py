#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A hundred thousand pairs of dlopen() and dlclose(). See loads.py.

SLOW:
TIMEOUT: 600
"""
import case
import loads

case.main(lambda: loads.pairs(100000, 10000, 512))
