#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--otlp FILE: each query of the JSON of the same run is one span, with its time,
text without values, operation, error, rows and line; metrics have the same
counts and sums; with --bind the text has its values. The output of the program
is as untraced.
"""
import collections
import socket

import case
from spans import attributes, code_of, error_of, items, run, spans_of


def check_span(path, span, call):
    """Compares a span with the call in JSON that it was made from."""
    what = f'{span} of {call}'
    at = span['attributes']
    nanoseconds = int(span['endTimeUnixNano']) - int(span['startTimeUnixNano'])
    case.equal(nanoseconds, round(call['duration'] * 1e9), what)
    # A double of seconds since the Epoch rounds the last digits.
    case.true(abs(int(span['startTimeUnixNano']) / 1e9 - call['time']) < 1e-6,
              what)
    case.equal((span['kind'], at['db.system.name'], at['thread.id']),
               (3, 'sqlite', call['tid']), what)
    case.equal(at['db.namespace'], str(case.FOLDER / 'base.db'), what)
    case.equal((at['db.operation.name'], span['name']),
               (at['db.query.text'].split()[0].upper(),) * 2, what)
    case.equal((at['code.file.path'], at['code.line.number'],
                at['code.function.name']),
               (str(path), call['frames'][0]['line'],
                call['frames'][0]['function']), what)
    case.equal((span['status'], at.get('error.type'),
                at.get('db.response.status_code')),
               (({'code': 2}, error_of(call), code_of(call))
                if 'failure' in call else ({}, None, None)), what)
    if 'rows' in call:
        case.equal(at.get('db.response.returned_rows',
                          at.get('xtrace.affected_rows')), call['rows'], what)


def check_metrics(lines, calls):
    (found,) = list(items(lines, 'metrics'))
    metric = found[1]
    case.equal((metric['name'], metric['unit']),
               ('db.client.operation.duration', 's'), 'the metric')
    case.equal(metric['exponentialHistogram']['aggregationTemporality'], 2,
               'cumulative')
    sums = collections.defaultdict(lambda: [0, 0])
    for call in calls:
        text = call['arguments'][-1]['value']
        key = text.split()[0].upper(), error_of(call)
        sums[key][0] += 1
        sums[key][1] += call['duration']
    points = metric['exponentialHistogram']['dataPoints']
    case.equal(len(points), len(sums), f'points: {points}')
    for point in points:
        at = attributes(point['attributes'])
        count, took = sums[at['db.operation.name'], at.get('error.type')]
        buckets = list(map(int, point['positive']['bucketCounts']))
        case.equal((int(point['count']), sum(buckets)), (count, count),
                   f'{point}')
        case.true(abs(point['sum'] - took) < 1e-8, f'{point}: {took}')
        base = 2 ** 2 ** -point['scale']
        low = base ** point['positive']['offset']
        case.true(low < point['min'] * (1 + 1e-9) and
                  point['max'] <= low * base ** len(buckets) * (1 + 1e-9),
                  f'bounds of {point}')


def test_all():
    path, lines, events = run()
    text = (case.FOLDER / 'out.otlp').read_text()
    case.true('secret' not in text and 'selekt' in text, 'no value is sent')
    calls = [row for row in events if row['event'] == 'call']
    spans = spans_of(lines)
    queries = [span for _, span in spans if span['kind'] == 3]
    case.equal(len(queries), len(calls), 'one span for each call')
    for span, call in zip(queries, calls):
        check_span(path, span, call)
    for resource, _ in spans:
        case.equal((resource['host.name'], resource['process.pid'],
                    resource['os.type']),
                   (socket.gethostname(), calls[0]['pid'], 'linux'),
                   'the resource')
        case.true(resource['service.name'] and
                  resource['process.executable.path'].endswith(
                      resource['process.executable.name']), f'{resource}')
    check_metrics(lines, calls)
    (transaction,) = [span for _, span in spans if span['kind'] == 1]
    parts = [span for span in queries
             if span.get('parentSpanId') == transaction['spanId']]
    case.equal([span['name'] for span in parts],
               ['BEGIN', 'UPDATE', 'COMMIT'], 'queries of the transaction')
    case.equal({span['traceId'] for span in parts}, {transaction['traceId']},
               'one trace')
    case.equal(transaction['attributes']['xtrace.transaction.end'],
               'committed', 'its end')


def test_bind():
    _, lines, events = run('--bind')
    texts = [span['attributes']['db.query.text'] for _, span in spans_of(lines)
             if span['kind'] == 3]
    case.true("select a, b from t where b = 'secret'" in texts,
              f'texts with values: {texts}')


def test():
    test_all()
    test_bind()


case.main(test)
