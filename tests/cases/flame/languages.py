#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Queries of a script in each language: the sums of the folded stacks and of
the picture are those of the lines that were printed in the same run. The leaf
is the fingerprint of the query, of which this case compares the first words.
Without -w the folded stacks are the same, and the lines have no frames.

TIMEOUT: 120
"""
import collections
import json
import re

import case
from drawn import frames_of
from flamecase import tree_of

LANGUAGES = {'python3': 'py', 'ruby': 'rb', 'php': 'php', 'perl': 'pl'}
LINE = re.compile(r'^[\d:.]+ \w+ "(.*?)".* <(\d+\.\d{6})>$')
FRAME = re.compile(r'^    (?:(.*?):(\d+) in )?(.*)$')
QUERY = 'select count(*) from film a, film b'


def label(file, line, function):
    name = f'{function} ({file}:{line})' if file else function
    return name.replace(';', ',')


def words(query):
    return ' '.join(query.lower().split()[:2])


def printed(lines):
    """{stack: [number of calls, microseconds]} of the text trace."""
    sums = collections.defaultdict(lambda: [0, 0])
    stack, call = [], None

    def end():
        if call:
            entry = sums[(*reversed(stack), words(call[0]))]
            entry[0] += 1
            entry[1] += round(float(call[1]) * 1e6)

    for line in lines:
        found = LINE.match(line)
        if line.startswith('    '):
            stack.append(label(*FRAME.match(line).groups()))
            continue
        end()
        stack, call = [], found.groups() if found else None
        case.true(found or re.match(r'[\d:.]+ (\+\+\+|---) ', line),
                  f'this is a call: {line}')
    end()
    return sums


def told(path):
    """{stack: [number of calls, nanoseconds]} of the JSON trace."""
    sums = collections.defaultdict(lambda: [0, 0])
    for line in path.read_text().splitlines():
        event = json.loads(line)
        if event['event'] != 'call':
            continue
        stack = [label(frame.get('file'), frame.get('line'),
                       frame['function']) for frame in event['frames']]
        entry = sums[(*reversed(stack),
                      words(event['arguments'][0]['value']))]
        entry[0] += 1
        entry[1] += round(event['duration'] * 1e9)
    return sums


def folded(name):
    sums = collections.Counter()
    for line in (case.FOLDER / name).read_text().splitlines():
        stack, _, number = line.rpartition(' ')
        *frames, query = stack.split(';')[1:]
        sums[(*frames, words(query))] += int(number)
    return dict(sums)


def trace(language, *options):
    subject = case.SUPPORT / f'queries.{LANGUAGES[language]}'
    tracer = case.trace('--sql', *options,
                        command=[f'/usr/bin/{language}', subject])
    tracer.wait(0)
    return tracer


def run(language, weight):
    # Without --wall a time can be below 0, and text and JSON would show it as
    # 0.
    tracer = trace(language, '-T', '--wall', '-w', '50', '--stack=script',
                   '--folded=out.folded', '--json=out.json',
                   '--flame=out.svg', '--weight', weight)
    picture = frames_of(case.FOLDER / 'out.svg')[0]
    wanted = tree_of((case.FOLDER / 'out.folded').read_text())
    case.true(picture, 'a picture')
    for path, number in picture.items():
        case.equal(number, wanted[path], f'{language}: {path} in the picture')
    return tracer.lines(), folded('out.folded')


def levels(stack):
    return sum(re.match(r'(\w+(::|#))*tree ', name) is not None
               for name in stack)


def compare(language):
    lines, times = run(language, 'time')
    text = printed(lines)
    exact = told(case.FOLDER / 'out.json')
    case.equal(set(times), set(text), f'{language}: stacks')
    for stack, micros in times.items():
        calls, shown = text[stack]
        case.true(abs(micros - shown) <= calls,
                  f'{language}: {micros} us folded, {shown} printed: {stack}')
        case.equal(micros, (exact[stack][1] + 500) // 1000,
                   f'{language}: {stack}')
    lines, counts = run(language, 'calls')
    text = printed(lines)
    case.equal(counts, {stack: calls for stack, (calls, _) in text.items()},
               f'{language}: calls')
    case.equal(max(map(levels, counts)), 3, f'{language}: the recursion')
    case.true(sum(QUERY in line for line in lines) == 12,
              f'{language}: each query has a line')
    plain = trace(language, '--folded=plain.folded', '--weight', 'calls',
                  '--merge', 'process')
    case.equal(folded('plain.folded'), counts, f'{language}: without -w')
    case.equal([line for line in plain.lines() if line.startswith(' ')], [],
               f'{language}: frames under lines')


def test():
    for language in LANGUAGES:
        compare(language)


case.main(test)
