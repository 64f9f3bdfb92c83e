#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The prototypes of libc and libm, checked as prototypes.py describes. Of the
functions in the SYNOPSIS of the manual's sections 2 and 3 that the libraries
still export, at least nine of ten have a prototype.

NEEDS: /usr/share/man/man3/printf.3.gz
TIMEOUT: 120
"""
import gzip
import pathlib
import re

import case
import prototypes
from libc_headers import LIBRARIES, SOURCE
from prototypes import Set

MANUAL = pathlib.Path('/usr/share/man')
LEAST = 90  # per cent, at least


def synopses():
    """The names in these SYNOPSIS sections that look like functions."""
    names = set()
    for page in MANUAL.glob('man[23]/*.gz'):
        text = gzip.open(page, 'rt', errors='replace').read()
        part = re.search(r'\.SH SYNOPSIS(.*?)\n\.SH ', text, re.S)
        if part:
            plain = re.sub(r'\\f.|\\&|"', '', part[1])
            names |= set(re.findall(r'\b([A-Za-z_]\w*)\s*\(', plain))
    return names


def test():
    files = ['libc.so.6.conf', 'libm.so.conf', 'libcrypt.so.conf']
    faults, figure, model, _ = prototypes.check(
        prototypes.model_program(),
        Set('libc, libm', files, LIBRARIES, SOURCE, []),
        prototypes.elsewhere())
    exported = set()
    for library in LIBRARIES[:2]:
        exported |= prototypes.exports(prototypes.LIBRARIES / library)
    asked = synopses() & exported
    covered = asked & set(model.protos)
    share = 100 * len(covered) / len(asked)
    figures = [figure, f'manual: {len(covered)} of {len(asked)} functions of '
               f'sections 2 and 3 ({share:.1f} %)']
    if share < LEAST:
        faults.append(figures[-1] + ', without ' +
                      ' '.join(sorted(asked - covered)))
    prototypes.finish('libc', faults, figures)


case.main(test)
