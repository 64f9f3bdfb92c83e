#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Three hundred processes. See loads.py.

SLOW:
TIMEOUT: 400
"""
import case
import loads

case.main(lambda: loads.processes(300, 30))
