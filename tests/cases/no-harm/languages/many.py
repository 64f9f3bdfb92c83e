#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Does what languages.py does, with CALLS calls of each program (100 000 unless
the environment says otherwise: make calls N=1000000). The memory of xtrace is
read after a tenth of the calls and at the end.

SLOW: a million calls in all
TIMEOUT: 7200
"""
import os

import case
import leaving

CALLS = int(os.environ.get('XTRACE_CALLS', 100000))

case.main(lambda: leaving.run(CALLS // 10, CALLS))
