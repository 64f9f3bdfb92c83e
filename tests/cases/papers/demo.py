#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `make demo` runs: queries with their SQL and times, and an end.

SERIAL: it runs for some seconds
TIMEOUT: 40
"""
import re

import case


def test():
    run = case.start(case.TESTS.parent / 'demo' / 'demo.sh', case.XTRACE,
                     limit=30)
    case.equal(run.wait(), 0, f'status of the demo: {run.out}{run.err}')
    lines = (run.out + run.err).splitlines()
    rows = [line for line in lines if re.match(
        r'\d\d:\d\d:\d\d\.\d{6} sqlite3_step\(', line)]
    case.true(len(rows) >= 10, f'lines of the demo: {lines}')
    for text in ('INSERT INTO person VALUES', 'SELECT name FROM person WHERE',
                 'WITH RECURSIVE n(i) AS'):
        case.true(any(text in row for row in rows), f'{text} is shown')
    # A query that ran when xtrace came is told at once, and at its end.
    if rows[0].endswith(' <in flight ...>'):
        del rows[0]
    for row in rows:
        case.true(re.search(r' = 10[01] <\d+\.\d{6}>$', row), row)


case.main(test)
