#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""While xtrace holds a client, the server works on the client's query. So if
the client waits for the answer afterwards, the query lasts as long as the
server takes, and the time in which the client was held is not taken off.

The server takes about four times as long as the calls in which the client is
held.

NEEDS: plain
TIMEOUT: 60
"""
import json

import case

TRIES = 6


def run(program, ms):
    tracer = case.trace('--json', '--set', 'wire', '-w', '5',
                        '--stack=native', '-x', 'held', command=[program, ms])
    tracer.wait(0)
    took, held = [float(word) for word in tracer.child.out.split()]
    rows = [json.loads(line) for line in tracer.lines()]
    queries = [row for row in rows if row.get('name') == 'postgresql']
    case.equal(len(queries), 1, 'queries')
    return queries[0], took, held


def test():
    program = case.build('answers.c')
    ms = 100
    for _ in range(TRIES):
        query, took, held = run(program, str(ms))
        ms = int(4000 * held) + 1
        # The client was held for a part of the time, and then waited for the
        # answer.
        if took / 10 < held and query['wall'] < took * 1.05:
            break
    else:
        case.skip(f'held for {held} of {took} s: the machine is too uneven')
    what = f'{query["duration"]} s of {took} s, held for {held} s'
    case.true(query['duration'] <= query['wall'], 'not more than the wall')
    case.true(query['duration'] >= 0.95 * took, what)


case.main(test)
