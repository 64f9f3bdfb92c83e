#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""As languages.py, with a million calls. The memory of xtrace is read after
100 000 calls and at the end.

SLOW: ten million calls
TIMEOUT: 7200
"""
import case
import leaving

case.main(lambda: leaving.run(100000, 1000000))
