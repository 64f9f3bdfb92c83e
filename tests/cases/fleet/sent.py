#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--otlp URL: a receiver gets each query as one span, and the metrics, with the
headers that OpenTelemetry's variables name. What the receiver refuses for now
is sent again, not before the time that the receiver names. If it refuses for
good, xtrace prints one line. The output of the program is as untraced.

TIMEOUT: 60
"""
import json

import case
from receiver import Receiver

SCRIPT = '''
import sqlite3, sys
run = sqlite3.connect(":memory:", isolation_level=None).execute
for number in range(20):
    print(run(f"select {number}").fetchall())
sys.stdout.flush()
sys.stdin.readline()
'''
QUERIES = 20


def spans_of(bodies):
    return [span for body in bodies for one in body['resourceSpans']
            for scope in one['scopeSpans'] for span in scope['spans']]


def run(receiver, *options, env=None):
    """Runs the script. It ends when the receiver has answered for all queries,
    because xtrace waits only some seconds for an answer after that."""
    path = case.FOLDER / 'script.py'
    path.write_text(SCRIPT)
    untraced = case.untraced(case.PYTHON, path, feed=['go'])
    tracer = case.trace(f'--otlp=http://127.0.0.1:{receiver.port}/', *options,
                        '--json=out.json', command=[case.PYTHON, path], env=env)
    case.until(lambda: len(spans_of(receiver.settled('/v1/traces'))) == QUERIES,
               'all spans have an answer')
    tracer.child.say('go')
    case.equal((tracer.wait(), tracer.child.out), untraced[:2], 'as untraced')
    return tracer


def test_taken():
    with Receiver() as receiver:
        tracer = run(receiver, env={
            'OTEL_EXPORTER_OTLP_HEADERS': 'api-key=a%20b=c,x-team=db'})
        case.equal(tracer.child.err, '', 'nothing is said')
        spans = spans_of(receiver.taken('/v1/traces'))
        calls = [row for row in map(json.loads, (case.FOLDER / 'out.json')
                                    .read_text().splitlines())
                 if row['event'] == 'call']
        case.equal([int(span['endTimeUnixNano']) -
                    int(span['startTimeUnixNano']) for span in spans],
                   [round(call['duration'] * 1e9) for call in calls],
                   'the spans')
        case.equal(len(spans), QUERIES, 'their number')
        (metrics,) = receiver.taken('/v1/metrics')
        case.true('resourceMetrics' in metrics, f'{metrics}')
        for _, _, headers, _, _ in receiver.requests:
            case.equal([headers[name] for name in
                        ('Content-Type', 'Content-Encoding', 'api-key',
                         'x-team', 'Expect')],
                       ['application/json', 'gzip', 'a b=c', 'db', None],
                       'headers')


def test_again():
    answers = [(503, {}), (429, {'Retry-After': '1'})]
    with Receiver(answers) as receiver:
        tracer = run(receiver, '--stats')
        case.true(f'xtrace: --otlp: {QUERIES} spans were sent\n' in
                  tracer.child.err, '--stats tells it')
        ids = [span['spanId'] for span in
               spans_of(receiver.taken('/v1/traces'))]
        case.equal((len(ids), len(set(ids))), (QUERIES, QUERIES),
                   'each span once')
        # xtrace sends what it has each second, so there may be more requests.
        first, second, third = receiver.requests[:3]
        case.equal((first[3], second[3]), (third[3],) * 2, 'the same again')
        case.true(third[0] - second[0] >= 1, 'after the time that it names')


def test_refused():
    with Receiver([(400, {})] * 99) as receiver:
        tracer = run(receiver)
        case.equal(tracer.child.err, f'xtrace: --otlp: 0 spans were sent, and '
                   f'{QUERIES} were not: the server answers 400\n', 'the line')
        bodies = [row[3] for row in receiver.requests if row[1] == '/v1/traces']
        ids = [span['spanId'] for span in spans_of(bodies)]
        case.equal((len(ids), len(set(ids))), (QUERIES, QUERIES),
                   'no span is sent again')
        case.equal([row[1] for row in receiver.requests][len(bodies):],
                   ['/v1/metrics'], 'the metrics are not sent again')


def test():
    test_taken()
    test_again()
    test_refused()


case.main(test)
