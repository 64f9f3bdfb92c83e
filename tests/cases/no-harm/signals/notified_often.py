#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""notified.py, with ten starts of each program and filter.

NEEDS: go
SLOW:
TIMEOUT: 1200
"""
import case
import notified

case.main(lambda: notified.test(10))
