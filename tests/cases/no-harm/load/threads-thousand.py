#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A thousand threads. See loads.py.

SLOW:
TIMEOUT: 400
"""
import case
import loads

case.main(lambda: loads.threads(1000, 20, 40, 2))
