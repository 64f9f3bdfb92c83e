#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap counts the values of a Perl script as Perl itself does (PL_sv_count),
with 10^3 and 10^5 objects. While it makes objects at full speed, none of the
kept ones is missed. The script is not stopped, and does not notice it.

NEEDS: perl /usr/lib/x86_64-linux-gnu/perl/5.36/CORE/perl.h
TIMEOUT: 60
"""
import re
import subprocess

import case
import heapcase

HEADERS = '/usr/lib/x86_64-linux-gnu/perl/5.36/CORE'


def build():
    library = case.FOLDER / 'perl_values.so'
    flags = subprocess.run(['perl', '-MConfig', '-e', 'print $Config{ccflags}'],
                           check=True, capture_output=True, text=True).stdout
    subprocess.run(['gcc', '-shared', '-fPIC', *flags.split(), '-I', HEADERS,
                    '-o', library, case.SUPPORT / 'perl_values.c'], check=True)
    return library


def start(library, many, *words):
    return heapcase.start('perl', case.SUPPORT / 'heap_perl.pl', str(many),
                          library, *words)


def test_waiting(library, many):
    subject, own, values = start(library, many)
    rows, (count, _, _), text = heapcase.check_waiting(subject, own)
    case.equal(count, values, 'values, and PL_sv_count')
    order = rows['Order'][1] / own['Order']
    # An object is a hash: a head, a body, a table of eight places, and at most
    # one key of its own.
    case.true(24 + 32 <= order <= 24 + 32 + 64 + 24, f'{order} bytes of Order')
    case.equal(rows['Shop::Special'][1] / own['Shop::Special'], 24 + 40 + 3 * 8,
               'bytes of Special')
    case.true('not counted' not in text, text[-200:])
    heapcase.end(subject, 'whole')


def test_running(library):
    subject, own, _ = start(library, 10000, 'make')
    for _ in range(5):
        rows = heapcase.rows_of(heapcase.census(subject.pid)[0])
        for name, count in own.items():
            got = heapcase.count_of(rows, name)
            # The last 500 objects that the script has made are kept, too.
            most = count * 1.01 + 501 if name == 'Order' else count * 1.01
            case.true(count * 0.99 <= got <= most,
                      f'{got} of {name}, {count} are kept')
        heapcase.check_names(rows, 40)
    heapcase.end(subject, 'whole')


def test():
    version = subprocess.run(['perl', '-e', 'printf "%vd", $^V'], check=True,
                             capture_output=True, text=True).stdout
    if not re.match(r'5\.36\.', version):
        case.skip(f'Perl {version}')
    library = build()
    test_waiting(library, 1000)
    test_waiting(library, 100000)
    test_running(library)


case.main(test)
