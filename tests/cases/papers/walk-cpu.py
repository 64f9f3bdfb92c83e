#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The way of CONTRIBUTING.md to a CPU, walked: nothing outside of its folder
and of the files that have its name names it.

NEEDS: plain gcc make
SLOW:
TIMEOUT: 300
"""
import case
import walking

case.main(lambda: walking.walk('A CPU'))
