#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""moments.py, a thousand times for each language.

SLOW:
TIMEOUT: 600
"""
import case
import moments

case.main(lambda: moments.test(1000, 0))
