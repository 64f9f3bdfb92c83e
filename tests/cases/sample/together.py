#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--sample with traced calls: samples and queries are on one time line, in one
tree and in one picture. With -f there are samples of the children, too.

TIMEOUT: 60
"""
import json
import re

import case

SQL = '''
import sqlite3
def ask(connection):
    return connection.execute(
        'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n '
        'WHERE x < 200000) SELECT sum(x) FROM n').fetchall()
def compute():
    return sum(i * i for i in range(400000))
def main():
    connection = sqlite3.connect(':memory:')
    for _ in range(12):
        print(ask(connection), compute())
main()
'''
FORK = '''
import os, sys
def parent():
    sum(i * i for i in range(6000000))
def child():
    sum(i * i for i in range(6000000))
pids = []
for number in range(2):
    pid = os.fork()
    if not pid:
        child()
        os._exit(number)
    pids.append(pid)
parent()
print([os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) for pid in pids])
'''


def test_queries():
    chrome, folded = (case.FOLDER / f'sql.{end}' for end in ('chrome', 'txt'))
    command = [case.PYTHON, '-c', SQL]
    wanted = case.untraced(*command)
    tracer = case.trace('--sql', '--sample=499', '--format',
                        f'chrome:{chrome}', f'--folded={folded}',
                        to_file=False, command=command)
    tracer.wait(0)
    case.equal(tracer.child.out, wanted[1], 'what it says')
    events = json.loads(chrome.read_text())
    queries = [event for event in events if event['ph'] == 'X'
               and 'RECURSIVE' in str(event.get('args'))]
    samples = [event for event in events if event.get('cat') == 'sample']
    case.equal(len(queries), 12, 'queries')
    case.true(any('compute' in event['name'] for event in samples), 'script')
    case.true(all(event['tid'] >= 1 << 22 for event in samples), 'their track')
    # Samples and queries have times of the same clock: the samples of a
    # function that waits for a query are within the query's time.
    within = [event for event in samples if 'ask' in event['name']
              and any(query['ts'] < event['ts'] + event['dur']
                      and event['ts'] < query['ts'] + query['dur']
                      for query in queries)]
    case.true(within, 'samples within a query')
    # On one time line, frames lie within each other.
    stack = []
    for event in sorted(samples, key=lambda each: (each['ts'], -each['dur'])):
        while stack and stack[-1] <= event['ts'] + 0.0005:
            stack.pop()
        case.true(not stack or event['ts'] + event['dur'] <=
                  stack[-1] + 0.0005, f'{event} within its outer frame')
        stack.append(event['ts'] + event['dur'])
    text = folded.read_text()
    case.true(re.search(r';compute \(', text), 'samples in the tree')
    # The time of a query is counted once: its samples are below it.
    case.true(re.search(r';with recursive .* from n;.*sqlite3_step', text),
              'samples of the queries in the tree')
    taken = sum(query['dur'] for query in queries)
    counted = sum(int(line.rsplit(' ', 1)[1]) for line in text.splitlines()
                  if ';ask (' in line)
    case.true(counted < 1.2 * taken + 20000,
              f'{counted} us of {taken} us of queries')


def test_lines():
    """Without a format: the lines of the queries, then the table."""
    tracer = case.trace('--sql', '--sample=499', '--group-by', 'function',
                        to_file=False, command=[case.PYTHON, '-c', SQL])
    tracer.wait(0)
    lines = tracer.err().splitlines()
    case.equal(sum('WITH RECURSIVE' in line for line in lines), 12, 'lines')
    case.contains(lines, '%any+++ exited (status 0) +++', '    self/s %any',
                  '%any in all, %num samples of %num thread%any')


def test_follow():
    for options, count in (['-f'], 3), ([], 1):
        events = case.FOLDER / f'{count}.json'
        tracer = case.trace('--sample=499', *options, f'--json={events}',
                            to_file=False,
                            command=[case.PYTHON, '-c', FORK])
        tracer.wait(0)
        case.equal(tracer.child.out, '[0, 1]\n', 'what it says')
        pids = {json.loads(line)['pid']
                for line in events.read_text().splitlines()
                if '"event":"sample"' in line and
                re.search('"function":"(parent|child)"', line)}
        case.equal(len(pids), count, f'processes, {options}')


def test():
    test_queries()
    test_lines()
    test_follow()


case.main(test)
