#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--otlp FILE: each field of each span and of the metric is what OpenTelemetry's
own SDK for JavaScript encodes for the queries of the JSON of the same run. Ids
are taken from the spans, because they are random. The queries are of SQLite, of
MariaDB by libmariadb and of PostgreSQL on the wire.

NEEDS: node mariadb-tls postgresql-tls
SLOW: the SDK is loaded
"""
import decimal
import json
import os
import subprocess

import case
from spans import (SCRIPT, SERVER, attributes, code_of, error_of, items, run,
                   spans_of)

NETWORK = """
import MySQLdb, asyncio, asyncpg, os
base = MySQLdb.connect(host='127.0.0.1', user='root', db='xtrace',
                       port=int(os.environ['TLS_MARIADB_PORT']))
cursor = base.cursor()
cursor.execute('select 1')
base.select_db('mysql')
cursor.execute('select 2')
async def ask():
    other = await asyncpg.connect(
        host='127.0.0.1', user='xtrace', database='postgres', ssl=False,
        port=int(os.environ['TLS_PGPORT']))
    print(await other.fetchval('select 3'))
    other.terminate()
asyncio.run(ask())
"""
SYSTEMS = ('mysql', 'sqlite', 'postgresql')
PACKAGES = case.TESTS.parent / 'build/npm'


def plain(item):
    """The item without members of default value, and with numbers as int."""
    if isinstance(item, dict):
        if set(item) == {'intValue'}:
            return {'intValue': int(item['intValue'])}
        if set(item) == {'key', 'value'}:
            return item['key'], json.dumps(plain(item['value']))
        found = {name: plain(part) for name, part in item.items()}
        return {name: int(part) if name.endswith('Nano') or name in
                ('count', 'zeroCount') else part
                for name, part in found.items()
                if part not in (0, '0', '', [], {}, None)}
    if isinstance(item, list):
        parts = [plain(part) for part in item]
        if parts and isinstance(parts[0], tuple):
            return dict(parts)
        return [int(part) if isinstance(part, str) else part for part in parts]
    return item


def wanted(path, call, own, resource):
    """The span that the SDK must make of a call; own is the span of xtrace."""
    text = own['attributes'].get('db.query.text')
    began = int(decimal.Decimal(call['time']) * 10 ** 9)
    operation = text.split()[0].upper() if text else 'connect'
    (system,) = [name for name in SYSTEMS if call['name'].startswith(name)]
    told = {'db.system.name': system,
            'code.function.name': call['frames'][0]['function'],
            'code.file.path': str(path),
            'code.line.number': call['frames'][0]['line'],
            'thread.id': call['tid']}
    told.update({SERVER[name]: call[name] for name in SERVER if name in call})
    if text:
        told.update({'db.query.text': text, 'db.operation.name': operation})
    if 'failure' in call:
        told['error.type'] = error_of(call)
        if code_of(call):
            told['db.response.status_code'] = code_of(call)
    if 'rows' in call:
        told['xtrace.affected_rows' if operation in ('INSERT', 'UPDATE')
             else 'db.response.returned_rows'] = call['rows']
    if 'transaction' in call:
        told['xtrace.transaction'] = call['transaction']
    return {**{name: own.get(name) for name in
               ('traceId', 'spanId', 'parentSpanId')},
            'name': operation, 'kind': 3, 'began': str(began),
            'ended': str(began + int(decimal.Decimal(call['duration']) *
                                     10 ** 9)),
            'status': {'code': 2 if 'failure' in call else 0},
            'attributes': told, 'resource': resource}


def encode(spans, calls):
    values = [{'value': float(call['duration']),
               'attributes': {
                   name: text for name, text in span['attributes'].items()
                   if name in ('db.system.name', 'db.operation.name',
                               'error.type')}}
              for span, call in zip(spans, calls)
              if 'db.query.text' in span['attributes']]
    done = subprocess.run(
        ['node', case.SUPPORT / 'sdk.js', PACKAGES], capture_output=True,
        input=json.dumps({'spans': spans, 'values': values}), text=True)
    case.equal((done.returncode, done.stderr), (0, ''), 'the SDK')
    return json.loads(done.stdout)


def by_attributes(metric):
    """The points of the metric, without the times at which they were read."""
    out = {}
    for point in plain(metric)['exponentialHistogram']['dataPoints']:
        del point['startTimeUnixNano'], point['timeUnixNano']
        out[json.dumps(point['attributes'], sort_keys=True)] = point
    return out


def compare(script):
    """Compares what two encoders say of the script's queries; returns all names
    of attributes."""
    path, lines, _ = run(script=script, env={
        name: os.environ[name] for name in ('TLS_MARIADB_PORT', 'TLS_PGPORT')})
    raw = [span for _, span in items(lines, 'spans') if span['kind'] == 3]
    encoded = [json.loads(json.dumps(span)) for span in raw]
    calls = [row for row in (json.loads(line, parse_float=str) for line in
                             (case.FOLDER / 'out.json').read_text()
                             .splitlines()) if row['event'] == 'call']
    own = [(resource, span) for resource, span in spans_of(lines)
           if span['kind'] == 3]
    spans = [wanted(path, call, span, resource)
             for call, (resource, span) in zip(calls, own)]
    case.equal(len(spans), len(encoded), 'one span for each call')
    got = encode(spans, calls)
    (one,) = got['spans']['resourceSpans']
    (scope,) = one['scopeSpans']
    for span, theirs in zip(encoded, scope['spans']):
        case.equal(plain(span), plain(theirs), 'a span')
    case.equal(own[0][0], attributes(one['resource']['attributes']),
               'the resource')
    ((_, metric),) = items(lines, 'metrics')
    ((_, theirs),) = items([got['metrics']], 'metrics')
    case.equal({**plain(metric), 'exponentialHistogram': 0},
               {**plain(theirs), 'exponentialHistogram': 0}, 'the metric')
    case.equal(by_attributes(metric), by_attributes(theirs), 'its points')
    return {name for span in spans for name in span['attributes']}


def test():
    if not (PACKAGES / 'node_modules').exists():
        case.skip('make deps-full installs the SDK')
    case.true('db.namespace' in compare(SCRIPT), 'the file of SQLite')
    case.true(compare(NETWORK) >= set(SERVER.values()), 'a server is told')


case.main(test)
