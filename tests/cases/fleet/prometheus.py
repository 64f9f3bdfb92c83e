#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--prometheus PORT: Debian's Prometheus scrapes the counts, times and errors that
JSON has, and takes each line of the text. The output of the program is as
untraced.

NEEDS: prometheus
SLOW: a database of time series is started
"""
import json
import signal
import urllib.parse

import case
from ports import SCRIPT, fetch, free_port, listens

CONFIG = '''
global: {{scrape_interval: 200ms, scrape_timeout: 200ms}}
scrape_configs:
  - job_name: xtrace
    static_configs: [{{targets: ['127.0.0.1:{port}']}}]
'''
SUM = 'xtrace_query_duration_seconds_sum'
COUNT = 'xtrace_query_duration_seconds_count'
ERRORS = 'xtrace_query_errors_total'


def ask(port, query):
    """{query_id: value} of Prometheus."""
    words = urllib.parse.urlencode({'query': query})
    status, _, body = fetch(port, f'/api/v1/query?{words}')
    case.equal(status, 200, body)
    return {row['metric'].get('query_id', ''): float(row['value'][1])
            for row in json.loads(body)['data']['result']}


def wanted():
    """{query id: (count, time, errors)} of JSON."""
    sums = {}
    for line in (case.FOLDER / 'out.json').read_text().splitlines():
        row = json.loads(line)
        if row['event'] == 'call' and 'query' in row:
            old = sums.get(row['query'], (0, 0, 0))
            sums[row['query']] = (old[0] + 1, old[1] + row['duration'],
                                  old[2] + ('failure' in row))
    return sums


def scraped(port, samples):
    """The counts, times and errors, if Prometheus has all of them and the last
    scrape has so many samples. After a scrape that took too long, Prometheus
    tells none of them until the next one."""
    found = [ask(port, name) for name in (COUNT, SUM, ERRORS)]
    told = [set(ask(port, name).values())
            for name in ('up', 'scrape_samples_scraped')]
    return told == [{1}, {samples}] and sum(found[0].values()) >= 8 and \
        all(set(one) == set(found[0]) for one in found) and found


def start_prometheus(port):
    (case.FOLDER / 'prometheus.yml').write_text(CONFIG.format(port=port))
    own = free_port()
    return own, case.start(
        '/usr/bin/prometheus', f'--config.file={case.FOLDER}/prometheus.yml',
        f'--storage.tsdb.path={case.FOLDER}/data',
        f'--web.listen-address=127.0.0.1:{own}')


def test():
    path = case.FOLDER / 'script.py'
    path.write_text(SCRIPT)
    untraced = case.untraced(case.PYTHON, path, feed=['go'])
    port = free_port()
    own, prometheus = start_prometheus(port)
    tracer = case.trace('--prometheus', str(port), '--json=out.json',
                        command=[case.PYTHON, path])
    tracer.child.wait_for('ready')
    case.until(lambda: fetch(port)[2].count(COUNT + '{') >= 4,
               'the text has all queries')
    body = fetch(port)[2]
    samples = [line for line in body.splitlines() if line[0] != '#']
    case.until(lambda: listens(own) and fetch(own, '/-/ready')[0] == 200,
               'Prometheus is ready')
    found = case.until(lambda: scraped(own, len(samples)),
                       f'a scrape has each of {len(samples)} lines as a sample')
    prometheus.signal(signal.SIGTERM)
    prometheus.wait()
    tracer.child.say('go')
    case.equal((tracer.wait(), tracer.child.out, tracer.child.err), untraced,
               'as untraced')
    sums = wanted()
    case.equal(set(found[0]), set(sums), 'the queries')
    for name, (count, took, errors) in sums.items():
        case.equal((found[0][name], found[2][name]), (count, errors), name)
        case.true(abs(found[1][name] - took) < 1e-6, f'time of {name}')


case.main(test)
