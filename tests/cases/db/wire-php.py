#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The drivers of PHP once more, by what goes over their sockets: matrix.py.

NEEDS: mariadb postgresql
TIMEOUT: 600
"""
import case
import drivers
import matrix

case.main(lambda: matrix.run_wire(drivers.PHP))
