#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Follows the way to a CPU in CONTRIBUTING.md. Only the folder of the CPU, and
the headers that choose it, name the new CPU.

NEEDS: plain gcc make
SLOW:
TIMEOUT: 300
"""
import case
import walking

case.main(lambda: walking.walk('A CPU'))
