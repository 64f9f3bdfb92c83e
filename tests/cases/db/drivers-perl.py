#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What --sql shows of the drivers of Perl: see support/matrix.py.

NEEDS: mariadb postgresql
TIMEOUT: 600
"""
import case
import drivers
import matrix

case.main(lambda: matrix.run(drivers.PERL))
