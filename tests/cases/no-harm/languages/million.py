#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The programs of languages.py make a million calls each. The memory of xtrace
is read after 100 000 calls and at the end.

SLOW: ten million calls
TIMEOUT: 7200
"""
import case
import leaving

case.main(lambda: leaving.run(100000, 1000000))
