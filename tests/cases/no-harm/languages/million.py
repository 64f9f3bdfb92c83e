#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""As languages.py, with our memory looked at when 100 000 calls have been
traced, and a million.

SLOW: ten million calls
TIMEOUT: 7200
"""
import case
import leaving

case.main(lambda: leaving.run(100000, 1000000))
