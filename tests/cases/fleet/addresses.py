#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Which server and which database a query is for, in JSON and in --otlp, is what
the client was told to connect to and what the server names as its database:
through client libraries and on the wire, TCP and UNIX sockets, after
mysql_select_db(), USE, a USE that fails, a change of the user, and a change that
cannot be read, which makes the database unknown. If TLS is read by the functions
of OpenSSL, the server is unknown. A connection has the same names with --set
connections.

NEEDS: mariadb-tls postgresql-tls php8.2
TIMEOUT: 120
"""
import json
import os
import re

import case
from spans import SERVER, spans_of

# After EXECUTE, only a client library knows the database.
UNKNOWN = {'PyMySQL execute'}


def read(name):
    return [json.loads(line) for line in
            (case.FOLDER / name).read_text().splitlines()]


def run(*command, options=()):
    env = {name: value for name, value in os.environ.items()
           if name.startswith('TLS_')}
    untraced = case.untraced(*command, env=env)
    tracer = case.trace('--sql', '--otlp=out.otlp', '--json=out.json',
                        *options, command=command, env=env)
    case.equal((untraced[0], untraced[2]), (0, ''), 'the program itself')
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err), untraced,
               'as untraced')
    return [json.loads(line) for line in untraced[1].splitlines()]


def check(found, wanted, what):
    case.equal({name: found[name] for name in found if name in SERVER},
               {name: value for name, value in wanted.items()
                if value is not None}, what)


def check_run(told):
    calls = [row for row in read('out.json') if row['event'] == 'call']
    spans = [span for _, span in spans_of(read('out.otlp'))
             if span['kind'] == 3]
    case.equal(len(spans), len(calls), 'one span for each call')
    for span, call in zip(spans, calls):
        at = span['attributes']
        check({name: at[other] for name, other in SERVER.items()
               if other in at}, {name: call.get(name) for name in SERVER},
              f'{span} of {call}')
    by_label = {}
    for call in calls:
        text = call['arguments'][0].get('value')
        if found := re.match(r"select '([^']*)',", str(text)):
            by_label[found[1]] = call
    labels = [row for row in told if len(row) == 4]
    case.equal(sorted(by_label), sorted(row[0] for row in labels), 'queries')
    for label, server, port, name in labels:
        check(by_label[label],
              {'server': server, 'port': port,
               'namespace': None if label in UNKNOWN else name},
              f'{label} in {by_label[label]}')


def check_connections():
    """Each connection that is made; PyMySQL connects without a database, too."""
    run(case.PYTHON, case.SUPPORT / 'asking.py', 'mysql',
        options=['--set=connections'])
    made = [row for row in read('out.json') if row['event'] == 'call' and
            'connect' in row['name']]
    tcp = {'server': '127.0.0.1', 'port': int(os.environ['TLS_MARIADB_PORT']),
           'namespace': 'xtrace'}
    own = {'server': os.environ['TLS_MARIADB_SOCKET']}
    case.equal([row['name'] for row in made],
               ['mysql_real_connect'] * 2 + ['mysql-connect'] * 2, 'made')
    for row, wanted in zip(made, [tcp, own] * 2):
        check(row, wanted, f'{row}')


def test():
    os.environ['TLS_PG_FOLDER'] = os.path.dirname(os.environ['TLS_PG_CA'])
    script = case.SUPPORT / 'asking.py'
    for command in ([case.PYTHON, script, 'mysql'],
                    [case.PYTHON, script, 'postgresql'],
                    ['php8.2', case.SUPPORT / 'asking.php']):
        check_run(run(*command))
    check_connections()


case.main(test)
