#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Follows the way to an output format in CONTRIBUTING.md.

NEEDS: plain gcc make nm clang-format
TIMEOUT: 300
"""
import case
import walking

case.main(lambda: walking.walk('An output format'))
