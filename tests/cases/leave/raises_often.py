#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the test of raises.py with 120 rounds.

SLOW:
TIMEOUT: 900
"""
import case
import raises

case.main(lambda: raises.test(10 * raises.ROUNDS))
