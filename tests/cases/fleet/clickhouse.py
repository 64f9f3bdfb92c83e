#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The JSON of a run loads unchanged into the table that docs/FLEET.md defines,
on a ClickHouse server: a million events of two hosts and releases. The page's
three queries then give the results that follow from the events.

NEEDS: /usr/sbin/clickhouse-server
SLOW: a database server is started
TIMEOUT: 300
"""
import collections
import json
import re
import urllib.error
import urllib.parse
import urllib.request

import case
from ports import free_port, listens

COPIES = 4000
BLOCK = 100  # copies in one INSERT
SCRIPT = '''
import sqlite3
run = sqlite3.connect(":memory:", isolation_level=None).execute
run("create table t(a int)")
for number in range(249):
    run(f"select {'a, ' * (number % 3)} a from t where a = {number}")
'''
CONFIG = '''<yandex>
<logger><level>warning</level><console>1</console></logger>
<listen_host>127.0.0.1</listen_host>
<tcp_port>{tcp}</tcp_port><http_port>{http}</http_port>
<path>{folder}/</path><tmp_path>{folder}/tmp/</tmp_path>
<users_config>{folder}/users.xml</users_config>
<default_profile>default</default_profile>
<default_database>default</default_database>
<mark_cache_size>100000000</mark_cache_size>
</yandex>'''
USERS = '''<yandex><profiles><default></default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks>
<profile>default</profile><quota>default</quota></default></users>
<quotas><default></default></quotas></yandex>'''
PAGE = (case.TESTS.parent / 'docs/FLEET.md').read_text()
TABLE, SLOWEST, SLOWER, REPEATED = re.findall(r'```sql\n(.*?)```', PAGE, re.S)


def start_server():
    folder = case.FOLDER / 'server'
    folder.mkdir()
    port = free_port()
    (folder / 'users.xml').write_text(USERS)
    (folder / 'config.xml').write_text(
        CONFIG.format(tcp=free_port(), http=port, folder=folder))
    server = case.start('/usr/sbin/clickhouse-server',
                        f'--config-file={folder}/config.xml')
    case.until(lambda: listens(port), 'the server listens')
    return server, port


def ask(port, query, data=b''):
    words = urllib.parse.urlencode({
        'query': query, 'input_format_skip_unknown_fields': 1})
    try:
        with urllib.request.urlopen(f'http://127.0.0.1:{port}/?{words}', data,
                                    timeout=60) as got:
            return got.read().decode()
    except urllib.error.HTTPError as error:
        case.fail(error.read().decode())


def rows(port, query):
    return [json.loads(line) for line in
            ask(port, f'{query} FORMAT JSONEachRow').splitlines()]


def run_once():
    """The lines of one run."""
    path = case.FOLDER / 'script.py'
    path.write_text(SCRIPT)
    case.trace('--sql', '--json=out.json',
               command=[case.PYTHON, path]).wait(0)
    return (case.FOLDER / 'out.json').read_text().splitlines()


def events(lines, copies):
    """The lines, many times, as of two hosts and two releases."""
    for copy in copies:
        for line in lines:
            yield re.sub('^{', json.dumps({
                'host': f'h{copy % 2}', 'service': f's{copy % 2}',
                'release': str(41 + copy % 2), 'request': copy // 2 + 1,
            })[:-1] + ',', line)


def near(got, wanted):
    return abs(got - wanted) <= 1e-6 * abs(wanted) + 1e-12


def check_slowest(port, calls):
    got = rows(port, SLOWEST)
    case.equal({row['query'] for row in got}, set(calls), 'the queries')
    for row in got:
        times = [call['duration'] for call in calls[row['query']]]
        case.equal((int(row['calls']), int(row['hosts'])),
                   (len(times) * COPIES, 2), f'{row}')
        total = sum(times) * COPIES
        case.true(near(row['total'], total), f'{row}: {total}')
    case.equal([row['total'] for row in got],
               sorted((row['total'] for row in got), reverse=True), 'the order')


def test():
    server, port = start_server()
    ask(port, '', TABLE.encode())
    lines = run_once()
    case.true(len(lines) * COPIES >= 1000000, f'{len(lines)} lines')
    for first in range(0, COPIES, BLOCK):
        ask(port, 'INSERT INTO xtrace FORMAT JSONEachRow', '\n'.join(
            events(lines, range(first, first + BLOCK))).encode())
    case.equal(int(ask(port, 'SELECT count() FROM xtrace')),
               len(lines) * COPIES, 'events that were loaded')
    calls = collections.defaultdict(list)
    for row in map(json.loads, lines):
        if 'query' in row:
            calls[row['query']].append(row)
    check_slowest(port, calls)
    case.equal(rows(port, SLOWER), [], 'both releases are as fast')
    slow = max(calls, key=lambda name: len(calls[name]))
    ask(port, "INSERT INTO xtrace (service, release, query, request, duration) "
        f"SELECT 's1', '42', '{slow}', 0, 1000 FROM numbers(10)")
    case.equal([row['query'] for row in rows(port, SLOWER)], [slow],
               'what became slower')
    repeated = {(f's{copy}', name): COPIES // 2 for copy in (0, 1)
                for name, found in calls.items() if len(found) >= 5}
    case.equal({(row['service'], row['query']): int(row['requests'])
                for row in rows(port, REPEATED)}, repeated, 'N+1')
    server.signal(15)
    server.wait()


case.main(test)
