#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With --engine=agent fast queries of libmariadb pass inside the program, and those
of which only a later result is slow are shown as with --engine=ptrace. This holds
for prepared statements, too.

NEEDS: mariadb
TIMEOUT: 60
"""
import case
import insidecase


def test():
    insidecase.same(12, 1500, case.PYTHON, insidecase.FOLDER / 'mariadb.py')


case.main(test)
