#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The drivers of Python, seen by what they send over their sockets: see
support/matrix.py.

NEEDS: mariadb postgresql
TIMEOUT: 600
"""
import case
import drivers
import matrix

case.main(lambda: matrix.run_wire(drivers.PYTHON))
