#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Every output of --sample: the tables, and each format of stacks. The script
and native functions are one stack, and what native functions do for a line of
the script is the time of that line.

TIMEOUT: 60
"""
import gzip
import json
import re

import jsonschema

import case

SCRIPT = '''
import threading
def inner(n):
    total = 0
    for i in range(n):
        total += i * i
    return total
def outer():
    inner(150000)
    sorted(range(60000), key=abs)
def spin():
    inner(5000000)
thread = threading.Thread(target=spin)
thread.start()
for _ in range(25):
    outer()
thread.join()
'''
ROW = re.compile(r' *(\d+\.\d{3}) +(\d+\.\d)% +(\d+\.\d{3}) +(\d+\.\d)% +'
                 r'(\d+)  (.*)$')
SUM = re.compile(r' *(\d+\.\d{3}) in all, (\d+) samples of (\d+) threads?$')


def run(*options):
    tracer = case.trace('--sample=499', *options, to_file=False,
                        command=[case.PYTHON, '-c', SCRIPT])
    tracer.wait(0)
    return tracer.err().splitlines()


def table_of(lines):
    """{name of a row: (self, total, samples)}. The sums are checked."""
    head, *rows, end = lines
    case.true(head.split()[:2] == ['self/s', '%'], head)
    rows = [row for row in rows if not row.endswith('(--top)')]
    out = {}
    for row in rows:
        match = ROW.match(row)
        case.true(match, f'a row: {row}')
        own, total = float(match[1]), float(match[3])
        case.true(own <= total, f'self is a part of the total: {row}')
        out[match[6]] = own, total, int(match[5])
    match = SUM.match(end)
    case.true(match, f'the last line: {end}')
    whole = float(match[1])
    case.true(all(total <= whole + 0.001 for _, total, _ in out.values()),
              'no total is more than the whole')
    return out, whole, int(match[2]), int(match[3])


def test_tables():
    rows, whole, samples, threads = table_of(run('--top', '10000'))
    case.equal(threads, 2, 'threads')
    own = sum(row[0] for row in rows.values())
    case.true(abs(own - whole) < 0.001 * len(rows), 'self adds up')
    case.equal(sum(row[2] for row in rows.values()), samples, 'samples')
    # The time of sorted() and abs() counts for the line that calls them.
    case.true(rows['<string>:6 in inner'][0] > 0, 'its own line')
    case.true(rows['<string>:10 in outer'][0] > 0, 'native time of a line')
    main = [row for name, row in rows.items()
            if re.match(r'<string>:1\d in <module>$', name)]
    case.true(any(total > own for own, total, _ in main), 'total')
    rows, _, _, _ = table_of(run('--group-by', 'function', '--top', '10000'))
    case.true('inner (<string>)' in rows and 'outer (<string>)' in rows,
              f'functions: {list(rows)[:9]}')
    rows, whole, _, _ = table_of(run('--group-by', 'thread'))
    case.equal(len(rows), 2, 'rows')
    case.true(all(re.match(r'thread \d+ of \d+( \(python3\))?$', row)
                  for row in rows), f'{list(rows)}')
    rows, _, _, _ = table_of(run('--top', '3'))
    case.equal(len(rows), 3, 'rows')


def test_files():
    files = {end: case.FOLDER / f'out.{end}' for end in
             ('folded', 'svg', 'html', 'json', 'speedscope', 'callgrind',
              'pprof')}
    said = run(f'--folded={files["folded"]}', f'--flame={files["svg"]}',
               f'--json={files["json"]}',
               '--format', f'speedscope:{files["speedscope"]}',
               '--format', f'callgrind:{files["callgrind"]}',
               '--format', f'pprof:{files["pprof"]}')
    case.equal(said, [], 'nothing else is written')
    folded = files['folded'].read_text()
    case.true(re.search(r'^python3[\d.]* \d+;thread \d+;.*;<module> '
                        r'\(<string>:1\d\);outer \(<string>:9\);inner '
                        r'\(<string>:6\)', folded, re.M), folded[:2000])
    case.true('builtin_sorted' in folded or 'python3' in folded, 'native')
    case.true('inner' in files['svg'].read_text(), 'the picture')
    case.true('fn=' in files['callgrind'].read_text(), 'callgrind')
    scope = json.loads(files['speedscope'].read_text())
    case.true(any(frame['name'] == 'inner'
                  for frame in scope['shared']['frames']), 'speedscope')
    case.true(b'inner' in gzip.decompress(files['pprof'].read_bytes()),
              'pprof')
    schema = json.loads((case.TESTS.parent / 'docs' /
                         'json-schema.json').read_text())
    validator = jsonschema.Draft202012Validator(schema)
    events = [json.loads(line)
              for line in files['json'].read_text().splitlines()]
    samples = [event for event in events if event['event'] == 'sample']
    for event in samples:
        validator.validate(event)
    case.true(len(samples) > 20, f'{len(samples)} samples')
    weights = sum(event['weight'] for event in samples)
    sums = sum(int(line.rsplit(' ', 1)[1]) for line in folded.splitlines())
    case.true(abs(weights - sums / 1e6) < 1e-6 * len(samples) + 1e-6,
              f'the same time in JSON, {weights}, and folded, {sums}')


def test_native():
    """A program without an interpreter."""
    lines = run('--stack=native', '--top', '10000', '--group-by', 'function')
    rows, _, _, _ = table_of(lines)
    case.true(all('<string>' not in row for row in rows), 'no script')
    tracer = case.trace('--sample=499', to_file=False, command=[
        'sh', '-c', 'i=0; while [ $i -lt 400000 ]; do i=$((i+1)); done'])
    tracer.wait(0)
    _, whole, samples, _ = table_of(tracer.err().splitlines())
    case.true(whole > 0 and samples > 3, f'{samples} samples')


def test():
    test_tables()
    test_files()
    test_native()


case.main(test)
