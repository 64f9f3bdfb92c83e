#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""More functions and more threads than meters have room for
(--engine=agent): calls without room stop, as with --engine=ptrace. The counts
are exact, and --stats says how many functions and threads had no room.

TIMEOUT: 120
"""
import re

import case

FUNCTIONS = 448
CALLS = 60
# How many functions can have meters with -c, how many with histograms, and how
# many threads can have blocks.
MOST = 384
MOST_WHOLE = 125
MOST_THREADS = 1008


def traced(subject, threads, *options):
    """What --stats says: calls counted inside, functions and threads without
    room, rows of hot sites. The table is compared with the program's own
    counts."""
    tracer = case.trace('--engine=agent', '--stats', '-x', 'f[0-9]*@MAIN',
                        *options, command=(str(subject), str(CALLS),
                                           str(threads)))
    tracer.wait(0)
    own = dict(line.split() for line in tracer.child.out.splitlines())
    case.equal(len(own), FUNCTIONS, 'functions of the program')
    rows = (line.split() for line in tracer.lines())
    at = 3 if '-c' in options else 2
    got = {row[-1]: row[at] for row in rows if row and row[-1] in own}
    case.equal(got, own, f'{options}, {threads} threads')
    said = re.search(r'inside the programs: (\d+); no room there for (\d+) '
                     r'functions or return addresses, (\d+) threads',
                     str(tracer.says()))
    case.true(said, f'--stats: {tracer.says()}')
    rows = [row for row in tracer.says() if ': hot site ' in row]
    case.equal(len(rows), 20, 'rows of hot sites')
    # All calls return to one address, whether or not they are counted.
    case.true(any(re.fullmatch(r'xtrace: hot site return to \S+: a jump; '
                               r'stops since then: \d{4,}', row)
                  for row in rows), f'the return address: {rows}')
    return [*(int(number) for number in said.groups()), rows]


def near(got, wanted, what):
    """Up to five functions may be missing in the number of functions without
    room. If many stops at a function only measured what a stop adds to a time,
    the function has too few calls left to need a meter."""
    case.true(wanted - 5 <= got <= wanted, f'{what}: {got}, not {wanted}')


def test():
    subject = case.build('many.c')
    inside, functions, threads, rows = traced(subject, 40, '--summary')
    traps = [row for row in rows
             if re.fullmatch(r'xtrace: hot site f\d+: a trap, the table of '
                             r'functions is full; stops since then: [1-9]\d*',
                             row)]
    case.true(len(traps) >= 15, f'traps of hot sites: {rows}')
    near(functions, FUNCTIONS - MOST_WHOLE, '--summary: functions')
    case.equal(threads, 0, '--summary: threads')
    case.true(inside > 40 * (CALLS - 5), f'{inside} are counted inside')
    inside, functions, threads, _ = traced(subject, MOST_THREADS + 40, '-c')
    near(functions, FUNCTIONS - MOST, '-c: functions')
    case.true(41 <= threads <= 200, f'-c: {threads} threads')
    case.true(inside > (MOST_THREADS - 160) * (CALLS - 5),
              f'{inside} are counted inside')


case.main(test)
