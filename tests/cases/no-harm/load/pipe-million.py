#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A million calls, traced into a pipe that is read slowly. See loads.py.

SLOW:
TIMEOUT: 600
"""
import case
import loads

case.main(lambda: loads.slow_pipe(1000000, 800000, 512))
