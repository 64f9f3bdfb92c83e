#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--summary with --engine=agent: calls are counted inside the program, with
their own times and a histogram. The counts are those of the program, in all
ways of calling, leaving and ending of support/counted.cc. The times agree with
each other and with the times that the program has measured.

TIMEOUT: 120
"""
import json
import re

import case

# A way of calling, how many calls each of its loops makes, and the least part
# of all calls that must be counted inside.
WAYS = (
    ('plain', 100000, 0.99),
    ('threads', 1000, 0.9),
    ('signals', 300, 0.5),
    ('alternate', 300, 0.5),
    ('jumps', 500, 0.2),
    ('exceptions', 500, 0.2),
    ('forks', 1000, 0.4),
    ('vforks', 1000, 0.5),
    ('fibers', 100, 0),
    ('exits', 1000, 0.5),
    ('unloads', 1000, 0.1),
    ('deep', 500, 0.3),
    ('counterless', 1000, 0.5),
    ('execs', 3000, 0.5),
    # The program maps memory all the time where xtrace would map its own. If
    # the place is taken, xtrace tries one that is farther away.
    ('maps', 3000, 0.9),
)
# Way -> how many calls of work() do not return, because their thread ends.
ENDLESS = {'exits': 10}
# The largest relative error of percentiles of calls that are counted inside
# (meter_step() in arch/meter.h).
CLOSE = 1 / 64 + 1 / 128
TIMES = ('p50', 'p95', 'p99', 'max', 'total')


def run(engine, subject, way, count, *options):
    """The rows of the table, what the program says, and how many calls were
    counted inside."""
    tracer = case.trace('--summary', '--json', f'--engine={engine}', '--stats',
                        '-x', 'work+inner+passing', *options,
                        command=(str(subject), way, str(count)))
    tracer.wait(0)
    rows = [json.loads(line) for line in tracer.lines()]
    own = dict(line.split() for line in tracer.child.out.splitlines())
    inside = re.search(r'counted inside the programs: (\d+)',
                       str(tracer.says()))
    return ([row for row in rows if row['event'] == 'row'],
            {name: int(n) for name, n in own.items()},
            int(inside[1]) if inside else 0)


def fit_together(row, what):
    """The numbers of a row. (Times of brief calls at which xtrace stops may be
    below 0 by measuring errors, so a sum of own times may be above the sum of
    the durations.)"""
    for less, more in zip(TIMES, TIMES[1:]):
        case.true(row[less] <= row[more], f'{what}: {less} of {row}')


def count_all(subject):
    for way, count, least in WAYS:
        rows, own, inside = run('agent', subject, way, count)
        got = {row['name']: row['calls'] for row in rows}
        own['work'] += ENDLESS.get(way, 0)
        case.equal(got, own, f'agent, {way}')
        part = inside / sum(own.values())
        case.true(part >= least, f'{way}: {part:.3f} were counted inside')
        for row in rows:
            fit_together(row, way)


def nested(subject):
    """All calls of inner() are directly within work()."""
    rows, _, _ = run('agent', subject, 'plain', 50000)
    rows = {row['name']: row for row in rows}
    work, inner = rows['work'], rows['inner']
    case.true(abs(work['total'] - work['self'] - inner['total']) <=
              0.01 * work['total'] + 3e-6, f'own times: {rows}')
    case.true(abs(inner['self'] - inner['total']) <= 0.01 * inner['total'] +
              3e-6, f'own times of inner: {rows}')


def measure(subject):
    rows, own, inside = run('agent', subject, 'measured', 1000)
    row = [row for row in rows if row['name'] == 'work'][0]
    case.equal(row['calls'], 1000, 'calls')
    case.true(inside > 0.8 * 3 * 1000, f'{inside} were counted inside')
    # The times of the first calls, at which xtrace stops, are estimates.
    case.true(own['inside'] / 1e9 * 0.98 <= row['total'],
              f'{row}, but {own}')
    case.true(row['total'] <= own['around'] / 1e9, f'{row}, but {own}')
    case.true(own['longest'] / 1e9 * 0.98 <= row['max'], f'{row}, but {own}')
    # One of ten calls takes a millisecond or more, the others 20 us or more.
    case.true(row['p50'] >= 0.00002 * (1 - CLOSE) - 1e-6, f'p50: {row}')
    case.true(row['p95'] >= 0.001 * (1 - CLOSE) - 1e-6, f'p95: {row}')


def group(subject):
    """Calls are grouped by thread, and by process."""
    rows, own, inside = run('agent', subject, 'threads', 300, '--group-by',
                            'thread,function')
    for name in 'work', 'inner':
        mine = [row for row in rows if row['name'].endswith(f', {name}')]
        case.equal(len(mine), 48, f'threads that call {name}')
        case.equal(sum(row['calls'] for row in mine), own[name],
                   f'calls of {name} in all threads')
        case.equal({row['calls'] for row in mine}, {own[name] // 48},
                   f'calls of {name} in each thread')
    case.true(inside > 0.5 * sum(own.values()),
              f'by thread: {inside} counted inside')
    rows, own, inside = run('agent', subject, 'forks', 500, '--group-by',
                            'process', '-f')
    calls = sorted(row['calls'] for row in rows)
    # Each of five children makes 500 rounds of 3 calls, and so does its
    # parent before and after it.
    case.equal(calls, [1500] * 5 + [15000], 'calls by process')
    case.true(inside > 0.5 * sum(calls), f'by process: {inside}')


def refused(subject):
    """A tree of stacks is made of each call, and --stats says so."""
    tracer = case.trace('--engine=agent', '--stats', '--folded', '-x', 'work',
                        command=[str(subject), 'plain', '100'])
    tracer.wait(0)
    case.true(any('no calls are counted inside the programs: a tree of '
                  'stacks needs each call' in line for line in tracer.says()),
              f'--folded: {tracer.says()}')


def test():
    subject = case.build('counted.cc')
    count_all(subject)
    nested(subject)
    measure(subject)
    group(subject)
    refused(subject)
    rows, own, inside = run('ptrace', subject, 'plain', 200)
    case.equal({row['name']: row['calls'] for row in rows}, own, 'ptrace')
    case.equal(inside, 0, 'ptrace: counted inside')


case.main(test)
