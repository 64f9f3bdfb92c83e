#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""docs/DRIVERS.md has a row for each driver of support/matrix.py, and says the
same about where its queries are seen. `make drivers` writes the table."""
import re

import case
import drivers
import matrix

LANGUAGES = {'Python': drivers.PYTHON, 'Ruby': drivers.RUBY,
             'PHP': drivers.PHP, 'Perl': drivers.PERL}
ROW = re.compile(r'^\| (Python|Ruby|PHP|Perl) \| ([^|]+) \| (\w+) \| ([^|]+) '
                 r'\|', re.M)


def wanted(driver):
    seen = sorted({*driver.functions, *driver.failed}) or \
        [matrix.WIRE[driver.base]]
    return ', '.join(f'`{name}`' for name in seen)


def test():
    text = (case.TESTS.parent / 'docs' / 'DRIVERS.md').read_text()
    for language, table in LANGUAGES.items():
        have = sorted(row[4] for row in ROW.finditer(text)
                      if row[1] == language)
        case.equal(have, sorted(wanted(driver) for driver in table),
                   f"the rows of {language} (make drivers makes them anew)")


case.main(test)
