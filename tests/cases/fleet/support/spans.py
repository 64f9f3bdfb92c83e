# SPDX-License-Identifier: GPL-2.0-or-later
"""What lines of --otlp say, and a script whose queries they are about."""
import json
import re

import case

SCRIPT = '''
import os, sqlite3
if os.path.exists("base.db"):
    os.unlink("base.db")
base = sqlite3.connect("base.db", isolation_level=None)
run = base.execute
run("create table t(a int, b)")
run("insert into t values (1, 'secret'), (2, 'y')")
def ask():
    return run("select a, b from t where b = 'secret'").fetchall()
for _ in range(5):
    print(ask())
try:
    run("selekt 'secret'")
except sqlite3.Error as error:
    print(error)
run("begin")
run("update t set a = 3")
run("commit")
'''
# What JSON and spans call the server and the database of a query.
SERVER = {'namespace': 'db.namespace', 'server': 'server.address',
          'port': 'server.port'}
HEX = {'traceId': 32, 'spanId': 16, 'parentSpanId': 16}


def value(encoded):
    ((kind, content),) = encoded.items()
    return int(content) if kind == 'intValue' else content


def attributes(pairs):
    out = {pair['key']: value(pair['value']) for pair in pairs}
    case.equal(len(out), len(pairs), 'each attribute once')
    return out


def items(lines, kind):
    """(resource attributes, item) of all lines of this kind."""
    for line in lines:
        for one in line.get(f'resource{kind[0].upper()}{kind[1:]}', []):
            for scope in one[f'scope{kind[0].upper()}{kind[1:]}']:
                case.equal(scope['scope']['name'], 'xtrace', 'the scope')
                for item in scope[kind]:
                    yield attributes(one['resource']['attributes']), item


def spans_of(lines):
    out = []
    for resource, span in items(lines, 'spans'):
        for name, digits in HEX.items():
            if name in span:
                case.true(re.fullmatch(f'[0-9a-f]{{{digits}}}', span[name]) and
                          int(span[name], 16), f'{name} of {span}')
        span['attributes'] = attributes(span['attributes'])
        out.append((resource, span))
    case.equal(len({span['spanId'] for _, span in out}), len(out),
               'ids of spans differ')
    return out


def run(*options, script=SCRIPT, env=None):
    path = case.FOLDER / 'script.py'
    path.write_text(script)
    untraced = case.untraced(case.PYTHON, path, env=env)
    case.equal(untraced[0], 0, 'the script itself')
    tracer = case.trace(*options, '--otlp=out.otlp', '--json=out.json',
                        command=[case.PYTHON, path], env=env)
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err), untraced,
               'as untraced')
    read = [[json.loads(line) for line in
             (case.FOLDER / f'out.{kind}').read_text().splitlines()]
            for kind in ('otlp', 'json')]
    return path, *read


def code_of(call):
    failure = call.get('failure', {})
    code = failure.get('state', failure.get('code'))
    return None if code is None else str(code)


def error_of(call):
    return (code_of(call) or '_OTHER') if 'failure' in call else None
