#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What `make demo` shows: the slow query, its time, and the line of the
script.

SERIAL: it runs for some seconds
TIMEOUT: 40
"""
import re

import case

DEMO = case.TESTS.parent / 'demo'
CALL = re.compile(r'\d\d:\d\d:\d\d\.\d{6} sqlite3_step "(?P<sql>.*)" = '
                  r'SQLITE_DONE(?: \(first .*\))? <(?P<took>\d+\.\d{6})>$')
IN_FLIGHT = ' <in flight ...>'


def line_of(text):
    """The number of the only line of the script that contains this text."""
    lines = (DEMO / 'queries.py').read_text().splitlines()
    number, = [at for at, line in enumerate(lines, 1) if text in line]
    return number


def test():
    run = case.start(DEMO / 'demo.sh', case.XTRACE, limit=30)
    case.equal(run.wait(), 0, f'status of the demo: {run.out}{run.err}')
    case.contains(run.out.splitlines(),
                  f'    {case.XTRACE} --sql -w 3 --min-time 50ms -p %num')
    # A query that ran when xtrace attached is shown at once, and again at its
    # end.
    lines = [line for line in run.err.splitlines()
             if not line.endswith(IN_FLIGHT)]
    slow = 0
    for at, line in enumerate(lines):
        call = CALL.match(line)
        if call:
            case.true(float(call['took']) >= 0.05, line)
        if call and call['sql'].startswith('WITH RECURSIVE n(i) AS'):
            slow += 1
            frames = [('COUNT.format', 'report'), ('        report(', 'main'),
                      ('    main()', '<module>')]
            case.same(lines[at + 1:at + 4], [
                f'    %any/demo/queries.py:{line_of(text)} in {function}'
                for text, function in frames], f'where {line}')
    case.true(slow > 0, f'a slow query is shown: {lines}')


case.main(test)
