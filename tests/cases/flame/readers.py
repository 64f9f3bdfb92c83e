#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The table of functions that speedscope (from the npm registry), a reader
which is not a part of xtrace, shows for folded stacks and for each --format.
Its totals and own weights must be those of the folded stacks.

NEEDS: npm /usr/bin/chromium
SLOW: it is fetched
TIMEOUT: 300
"""
import base64
import collections
import json
import os
import pathlib
import re
import subprocess
import tarfile

import browser
import case

PACKAGE = 'speedscope@1.25.0'
PROTOTYPES = case.TESTS.parent / 'etc' / 'libsqlite3.so.conf'
# A script without recursion. callgrind's graph has no stacks, so the weight of
# recursive functions can only be guessed.
SCRIPT = '''
import sqlite3


def ask(base, text):
    return base.execute(text, (1,)).fetchall()


def deeper(base):
    base.execute('select 2').fetchall()
    return ask(base, 'select ? + 1')


base = sqlite3.connect(':memory:')
for number in range(20):
    ask(base, 'select ?')
    deeper(base)
'''
FILTER = 'sqlite3_prepare_v2+sqlite3_step'
UNITS = {'ns': 1e-3, 'µs': 1, 'ms': 1e3, 's': 1e6}
ROW = re.compile(r'([\d.,]+)(ns|µs|ms|s)? \([^)]*\)\n\t'
                 r'([\d.,]+)(ns|µs|ms|s)? \([^)]*\)\n\t(.*)')


def speedscope():
    """The path of speedscope's page."""
    folder = pathlib.Path(os.environ['BUILD_CACHE']).parent / PACKAGE
    page = folder / 'package' / 'dist' / 'release' / 'index.html'
    if page.exists():
        return page
    done = subprocess.run(['npm', 'pack', '--silent', PACKAGE],
                          cwd=case.FOLDER, capture_output=True, text=True,
                          env={**os.environ, 'HOME': str(case.FOLDER)})
    if done.returncode:
        case.skip(f'{PACKAGE}: {done.stderr[-200:]}')
    with tarfile.open(case.FOLDER / done.stdout.split()[-1]) as packed:
        packed.extractall(folder)
    return page


def number(text, unit):
    return float(text.replace(',', '')) * UNITS.get(unit, 1)


def rows(page, tool, path):
    """[(function, total, own), ...] as speedscope shows them; time in
    microseconds."""
    data = base64.b64encode(path.read_bytes()).decode()
    load = case.FOLDER / 'load.js'
    load.write_text('speedscope.loadFileFromBase64('
                    f'{json.dumps(path.name)}, {json.dumps(data)})')
    page.command('POST', '/url', {'url': 'about:blank'})
    page.command('POST', '/url', {
        'url': f'{tool.as_uri()}#localProfilePath={load}&view=sandwich'})
    page.until('return document.body.innerText.includes("%)")',
               f'{path.name} is shown')
    text = page.run('return document.body.innerText')
    return sorted((found[4], number(*found[:2]), number(*found[2:4]))
                  for found in ROW.findall(text.partition('Symbol Name')[2]))


def plain(name):
    """A frame's name without file and line."""
    return re.sub(r' \(.*:\d+\)$', '', name)


def sums(folded, key=lambda name: name):
    """[(function, total, own), ...] of folded stacks. Names for which key()
    returns the same are one function."""
    totals, own = collections.Counter(), collections.Counter()
    for line in folded.read_text().splitlines():
        stack, _, weight = line.rpartition(' ')
        names = [key(name) for name in stack.split(';')]
        own[names[-1]] += int(weight)
        for name in set(names):
            totals[name] += int(weight)
    return sorted((name, total, own[name]) for name, total in totals.items())


def trace(weight, *formats):
    tracer = case.trace('--folded=out.folded', '--json=out.json', '-w', '20',
                        '-F', PROTOTYPES, '--weight', weight, '-x', FILTER,
                        *(f'--format={name}:out.{name}' for name in formats),
                        command=[case.PYTHON, 'script.py'])
    tracer.wait(0)


def check(got, wanted, what):
    """Compares weights to the three digits that speedscope shows."""
    case.equal([row[0] for row in got], [row[0] for row in wanted],
               f'{what}: names')
    for row, so in zip(got, wanted):
        for shown, is_so in zip(row[1:], so[1:]):
            case.true(abs(shown - is_so) <= max(0.006, 0.006 * is_so),
                      f'{what}: {so}, not {row}')


def chrome_calls():
    """{function: the sum of its durations in microseconds}. Ends of calls are
    on a time line that never goes back, so a call differs from the duration
    that JSON tells, by the uncertainty of the two clock readings."""
    shown, told, unsure = (collections.Counter() for _ in range(3))
    with open(case.FOLDER / 'out.chrome') as file:
        for event in map(json.loads, (line.strip('[],\n') or '{}'
                                      for line in file)):
            if event.get('ph') == 'X':
                shown[event['name']] += event['dur']
    with open(case.FOLDER / 'out.json') as file:
        for call in map(json.loads, file):
            if call['event'] == 'call':
                told[call['name']] += call['duration'] * 1e6
                unsure[call['name']] += call['uncertainty'] * 1e6
    case.equal(sorted(shown), sorted(told), 'chrome: functions')
    for name, sum_told in told.items():
        case.true(abs(shown[name] - sum_told) <= unsure[name] + 0.1,
                  f'chrome: {name}: {shown[name]} us, told {sum_told} us, '
                  f'unsure {unsure[name]} us')
    return shown


def check_calls(got):
    """In Chrome's format each call is separate, and its name has the
    arguments."""
    shown = collections.Counter()
    for name, total, _ in got:
        shown[name.split(' {')[0]] += total
    check(sorted((name, total) for name, total in shown.items()),
          sorted(chrome_calls().items()), 'chrome')


def test():
    (case.FOLDER / 'script.py').write_text(SCRIPT)
    tool, folder = speedscope(), case.FOLDER
    with browser.open() as page:
        trace('calls', 'speedscope', 'pprof')
        folded = folder / 'out.folded'
        check(rows(page, tool, folded), sums(folded), 'folded')
        check(rows(page, tool, folder / 'out.pprof'), sums(folded, plain),
              'pprof')
        # The process and the thread are in the profile's name, not in frames.
        check(rows(page, tool, folder / 'out.speedscope'),
              sorted((plain(name), *pair) for name, *pair in sums(folded)
                     if not re.match(r'thread \d+$|python3[.\d]* \d+$', name)),
              'speedscope')
        trace('time', 'callgrind', 'chrome')
        wanted = sums(folded, plain)
        wanted.append(('all', sum(own for _, _, own in wanted), 0))
        check(rows(page, tool, folder / 'out.callgrind'), sorted(wanted),
              'callgrind')
        check_calls(rows(page, tool, folder / 'out.chrome'))


case.main(test)
