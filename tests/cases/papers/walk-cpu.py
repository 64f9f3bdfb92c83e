#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The way of CONTRIBUTING.md to a CPU, walked: nothing but its folder, and
the headers that choose it, names it.

NEEDS: plain gcc make
SLOW:
TIMEOUT: 300
"""
import case
import walking

case.main(lambda: walking.walk('A CPU'))
