#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries of Ruby to SQLite, with all functions sqlite3_* traced.

TIMEOUT: 240
"""
import case
import dbcase


def test():
    (case.FOLDER / 'custom.conf').write_text(
        'int sqlite3_prepare_v2(addr, string, int, addr, addr);\n'
        'int sqlite3_step(addr);\n')
    command = ['/usr/bin/ruby', case.SUPPORT / 'sqlite_client.rb']
    for names in 'sqlite3_prepare_v2+sqlite3_step', 'sqlite3_*':
        dbcase.run(command, ['-F', 'custom.conf', '-x', names], 'pause',
                   dbcase.check_steps)


case.main(test)
