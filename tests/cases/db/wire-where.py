#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""With -w, a query on the wire shows the line of the script that sent it, even
if frames are only read for slow queries. --json has the query's rows, its
error and its frames.

NEEDS: mariadb
"""
import json
import pathlib

import case
import jsonschema
import matrix

CLIENTS = {'py': case.PYTHON, 'php': '/usr/bin/php'}
ASKED = ['SELECT 1 UNION SELECT 2', 'SELEKT', 'SELECT SLEEP(0.1)']


def line_of(path, text):
    """The number of the line that contains the text, from 1."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if text in line:
            return number
    return None


def asked(suffix, *options):
    path = case.SUPPORT / f'wire_client.{suffix}'
    tracer = case.trace('--json', '--sql', '-w', '30', *options,
                        command=[CLIENTS[suffix], path], env=matrix.env())
    tracer.wait(0)
    rows = [json.loads(line) for line in tracer.lines()]
    schema = json.loads((case.TESTS.parent / 'docs' / 'json-schema.json')
                        .read_text())
    for row in rows:
        jsonschema.Draft202012Validator(schema).validate(row)
    return path, [row for row in rows if row['event'] == 'call']


def frames_of(path, call):
    """The frames of the script's functions, the innermost first."""
    return [(frame['function'], frame['line'])
            for frame in call.get('frames', [])
            if pathlib.Path(frame.get('file', '')).name == path.name and
            frame['function'] in ('ask', 'work')]


def check_frames(path, call):
    sql = call['arguments'][0]['value']
    frames = frames_of(path, call)
    case.equal([name for name, _ in frames], ['ask', 'work'],
               f'the frames of {sql}')
    case.equal(frames[0][1], line_of(path, '->query' if path.suffix == '.php'
                                     else '.query'), f'{sql}: line of ask')
    case.equal(frames[1][1], line_of(path, sql), f'{sql}: line of work')


def test():
    for suffix in CLIENTS:
        path, calls = asked(suffix)
        case.equal([call['arguments'][0]['value'] for call in calls], ASKED,
                   'queries')
        for call in calls:
            check_frames(path, call)
            case.equal('address' in call or 'guessed' in call, False,
                       'the kind of the event')
        case.equal([call.get('rows') for call in calls], [2, None, 1], 'rows')
        case.equal([call.get('failure', {}).get('code') for call in calls],
                   [None, 1064, None], 'errors')
        case.equal(calls[1]['failure']['state'], '42000', 'the state')
        case.true('SELEKT' in calls[1]['failure']['message'], 'the message')
        case.equal(calls[1]['result']['value'], -1, 'the result of an error')
        path, calls = asked(suffix, '--stack-min-time', '100ms')
        case.true(calls[2].get('frames'), 'the slow one has frames')
        case.equal([name for name, _ in frames_of(path, calls[2])],
                   ['ask', 'work'], 'the frames of the slow query')
        case.equal(['frames' in call for call in calls],
                   [call['duration'] >= 0.1 for call in calls],
                   'only slow ones have frames')


case.main(test)
