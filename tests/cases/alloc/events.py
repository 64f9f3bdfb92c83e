#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--alloc --json writes an event for each growth, and for each time in which
nothing was watched. The events are as the schema says, and their sums by line
are the rows of the table of the same run.

TIMEOUT: 60
"""
import collections
import json
import re

import jsonschema

import case

TOP = case.TESTS.parent
ROUNDS = 600
PIECE = 256 << 10
NUMBER = r'(\d{1,3}(?: \d{3})*)'
ROW = re.compile(rf' *{NUMBER} +{NUMBER}  \((\w+)\)  (.*)$')
TRIES = 30


def number(text):
    return int(text.replace(' ', ''))


def run(percent, rounds):
    """The events, and the lines of the table."""
    command = [case.build('growing.c'), 'keep', str(rounds), '0']
    wanted = case.untraced(*command)
    path = case.FOLDER / 'trace.json'
    tracer = case.trace(f'--alloc={percent}', f'--json={path}', '--top', '999',
                        command=command)
    tracer.wait(7)
    case.equal((tracer.child.out, tracer.err()), wanted[1:], 'what it says')
    case.equal(tracer.says(), [], 'what xtrace says')
    events = [json.loads(line) for line in path.read_text().splitlines()]
    schema = json.loads((TOP / 'docs' / 'json-schema.json').read_text())
    check = jsonschema.Draft202012Validator(schema)
    for event in events:
        check.validate(event)
    return events, tracer.lines()


def growths(events):
    return [event for event in events if event['event'] == 'growth']


def test_rows():
    events, lines = run(100, 100)
    sums = collections.Counter()
    for event in growths(events):
        case.equal(event['watched'], 1, f'{event}')
        sums[event['growth'], event['where']] += event['bytes']
    rows = {(match[3], match[4]): number(match[2])
            for match in map(ROW.match, lines) if match}
    case.equal(dict(sums), rows, f'{lines}')
    case.equal([event for event in events if event['event'] == 'unwatched'], [],
               'there is no break')
    pieces = [event for event in growths(events)
              if re.match(r'piece@', event['where'])]
    case.equal([event['bytes'] for event in pieces], 400 * [PIECE], 'pieces')
    callers = collections.Counter(
        next(frame['function'] for frame in event['frames']
             if frame.get('function') in ('one', 'two', 'three'))
        for event in pieces)
    case.equal(callers, {'one': 200, 'two': 100, 'three': 100}, 'callers')


def test_not_watched():
    """A break at the end is an event. What it tells and what was seen are what
    the program got, if nothing is extrapolated."""
    for _ in range(TRIES):
        events, lines = run(1, ROUNDS)
        breaks = [event for event in events if event['event'] == 'unwatched']
        if breaks and all(event['watched'] == 1 for event in growths(events)):
            break
    case.true(breaks, f'{lines}')
    case.equal(breaks[-1]['extrapolated'], False, f'{breaks}')
    case.true(all(event['duration'] > 0 for event in breaks), f'{breaks}')
    seen = sum(event['bytes'] for event in growths(events)
               if re.match(r'piece@', event['where']))
    case.equal(seen + sum(event['change'] for event in breaks),
               4 * ROUNDS * PIECE, f'{breaks} {lines}')


def test():
    test_rows()
    test_not_watched()


case.main(test)
