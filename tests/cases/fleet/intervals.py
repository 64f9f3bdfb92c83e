#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--interval while the program runs: the metrics of --otlp are written anew, with
all queries so far; a service writes its table and its stacks at each interval,
and after SIGHUP to new files, with the queries since then.

TIMEOUT: 60
"""
import json
import re

import case
from manager import Service
from spans import attributes, items

CLIENT = [case.PYTHON, case.SUPPORT / 'steady_client.py']
SOME = 50  # queries for a word of its input
ENDS = re.compile(r' *(\d+) calls? of \d+ ')


def ask(subject, word):
    subject.say(word)
    subject.wait_for(f'did {word} ')


def points(name):
    """The counts of the insertions in the metrics so far, and when they began."""
    path = case.FOLDER / name
    lines = [json.loads(line) for line in path.read_text().splitlines(True)
             if line.endswith('\n')] if path.exists() else []
    return [(int(point['count']), point['startTimeUnixNano'])
            for _, metric in items(lines, 'metrics')
            for point in metric['exponentialHistogram']['dataPoints']
            if attributes(point['attributes'])['db.operation.name'] == 'INSERT']


def metrics():
    subject = case.start(*CLIENT)
    subject.wait_for('ready')
    tracer = case.attach(subject, '--sql', '--otlp=out.otlp', '--interval', '1s')
    for number in 1, 2:
        ask(subject, f'word-{number}')
        case.until(lambda: (points('out.otlp') or [(0, 0)])[-1][0] ==
                   number * SOME, f'metrics of {number * SOME} queries')
    tracer.leave()
    found = points('out.otlp')
    case.equal([count for count, _ in found],
               sorted(count for count, _ in found), 'the counts only grow')
    case.equal(len({began for _, began in found}), 1, 'one beginning')
    subject.say('end')
    case.finish(subject, 5)


def tables(name):
    """How many calls each table of the file has."""
    path = case.FOLDER / name
    text = path.read_text() if path.exists() else ''
    return [int(found[1]) for found in map(ENDS.match, text.splitlines())
            if found]


def weight(name):
    """How many calls the stacks of the file have."""
    path = case.FOLDER / name
    text = path.read_text() if path.exists() else ''
    return sum(int(line.rsplit(' ', 1)[1]) for line in text.splitlines())


def service():
    options = case.FOLDER / 'service.options'
    options.write_text(f"--attach-name '*{CLIENT[1]}*' --interval 1s\n"
                       "-x sqlite3_prepare_v2 --weight calls\n"
                       "--summary -o table --folded=stacks\n")
    subject = case.start(*CLIENT)
    subject.wait_for('ready')
    running = Service(f'--service={options}')
    for word in 'before', 'after':
        ask(subject, word)
        case.until(lambda: sum(tables('table')) == SOME, f'tables {word}')
        case.until(lambda: weight('stacks') == SOME, f'stacks {word}')
        for name in 'table', 'stacks':
            (case.FOLDER / name).rename(case.FOLDER / f'{name}.{word}')
        running.reload()
    running.stop()
    for word in 'before', 'after':
        # The last table is for the whole run.
        *parts, last = tables(f'table.{word}')
        case.equal((sum(parts), last), (SOME, SOME), f'tables {word}')
        case.equal(weight(f'stacks.{word}'), SOME, f'stacks {word}')
    case.equal((sum(tables('table')), weight('stacks')), (0, 0), 'the rest')
    subject.say('end')
    case.finish(subject, 5)


def test():
    metrics()
    service()


case.main(test)
