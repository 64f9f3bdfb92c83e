#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs the test of attach_detach.py with 200 and 50 rounds.

SERIAL: it counts calls on a machine of its own
SLOW:
TIMEOUT: 400
"""
import attach_detach
import case

case.main(lambda: attach_detach.test(200))
