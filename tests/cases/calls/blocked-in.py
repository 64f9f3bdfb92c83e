#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace leaves while a thread is in calls that were entered inside the
program (--engine=agent). They are shown as --engine=ptrace shows them, and the
program continues.

TIMEOUT: 60
"""
import json
import re
import time

import case

COUNT = 200
LEAST = 0.02  # seconds
# On a busy machine, xtrace may count a part of the time of the call in flight
# as a wait for a CPU before the call (own_age() in tracer/report/metering.c).
LONG = 25 * LEAST
CONFIG = """\
int work(int x, addr then);
int around(int count, addr then);
"""


def left(engine, subject, *options):
    """The lines without times and addresses; how many calls passed inside."""
    path = case.FOLDER / 'types.conf'
    path.write_text(CONFIG)
    program = case.start(subject, str(COUNT))
    program.wait_for('ready')
    tracer = case.attach(program, f'--engine={engine}', '--stats', '-F', path,
                         '-x', 'work+around', *options)
    program.say('go')
    program.wait_for('in')
    begun = time.monotonic()
    case.until(lambda: time.monotonic() > begun + LONG, 'the call is long')
    tracer.leave()
    program.say('on')
    case.finish(program)
    case.equal(program.out.split(),
               ['ready', 'in', str(COUNT * (COUNT + 1) // 2 + 7)], 'output')
    inside = re.search(r'inside the programs: (\d+)', str(tracer.says()))
    lines = [re.sub(r'0x[0-9a-f]{6,}', 'ADDRESS', line)
             for line in tracer.calls()]
    return lines, int(inside[1]) if inside else 0


def counts(lines):
    """The numbers of calls of each function in JSON's table."""
    rows = [json.loads(line) for line in lines]
    return {row['name']: row['calls'] for row in rows if row['event'] == 'row'}


def test():
    subject = str(case.build('blocked-in.c'))
    options = '--summary', '--json'
    wanted, _ = left('ptrace', subject, *options)
    got, inside = left('agent', subject, *options)
    case.equal(counts(wanted), {'work': 2 * COUNT + 1, 'around': COUNT + 1},
               'summary, ptrace')
    case.equal(counts(got), counts(wanted), 'summary, agent')
    case.true(inside > COUNT, f'summary: {inside} inside')
    for engine in 'ptrace', 'agent':
        lines, inside = left(engine, subject, '--min-time', f'{LEAST}s')
        case.equal([line for line in lines if 'unfinished' in line],
                   [f'around({COUNT}, ADDRESS <unfinished ...>',
                    'work(-1, ADDRESS <unfinished ...>'],
                   f'--min-time, {engine}')
    case.true(inside > COUNT, f'--min-time: {inside} inside')


case.main(test)
