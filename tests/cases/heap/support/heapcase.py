# SPDX-License-Identifier: GPL-2.0-or-later
"""For cases about --heap: takes a census, and reads its table."""
import re

import case

ROW = re.compile(r' *(\d[\d ]*?\d|\d) {2,}(\d[\d ]*?\d|\d)  (.*)$')


def number(text):
    return int(text.replace(' ', ''))


def census(pid, *options, status=0):
    run = case.start(case.XTRACE, '--heap', '--top', '9999', '-p', str(pid),
                     *options)
    case.equal(run.wait(), status, f'status, {run.err}')
    return run.out, run.err


def rows_of(text):
    """name -> (count, bytes) of each row; two classes may have one name. The
    lines below the rows are none."""
    rows = {}
    head, *lines = text.splitlines()
    case.true(head.split() == ['count', 'bytes', 'class'], head)
    for line in lines:
        match = ROW.match(line)
        if match and not match[3].startswith('in all, of '):
            count, size, name = number(match[1]), number(match[2]), match[3]
            before = rows.get(name, (0, 0))
            rows[name] = before[0] + count, before[1] + size
    return rows


def last_row(text):
    """All objects, their bytes, and the heap's bytes."""
    found = re.search(r'^ *([\d ]+\d) {2,}([\d ]+\d)  in all, of ([\d ]+) '
                      r'bytes of the heap$', text, re.M)
    case.true(found, f'its end: {text[-200:]}')
    return tuple(map(number, found.groups()))
