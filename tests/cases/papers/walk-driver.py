#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Follows the way to a prototype and to a driver in CONTRIBUTING.md.

NEEDS: plain gcc make
TIMEOUT: 120
"""
import case
import walking

case.main(lambda: walking.walk('A prototype, or a driver'))
