#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""go tool pprof shows the names of --format pprof unchanged, the time and
duration of the run, and the module of each function.

NEEDS: go
TIMEOUT: 120
"""
import gzip
import json
import os
import re
import subprocess
import time

import case

SCRIPT = '''
import sqlite3


def ask(base):
    return base.execute('select 1').fetchall()


base = sqlite3.connect(':memory:')
for number in range(6):
    ask(base)
'''
ROW = re.compile(r'^ *(\d+)(?: +[\d.]+%){2} +(\d+) +[\d.]+%  (.*)$', re.M)


def pprof(*options):
    """The output of go tool pprof for out.pb. It writes no file outside of the
    case's folder, and uses no network."""
    done = subprocess.run(
        ['go', 'tool', 'pprof', *options, 'out.pb'], cwd=case.FOLDER,
        text=True, capture_output=True,
        env={**os.environ, 'HOME': str(case.FOLDER), 'TZ': 'UTC',
             'PPROF_TMPDIR': str(case.FOLDER), 'GOFLAGS': '',
             'GOPATH': str(case.FOLDER / 'go')})
    case.equal((done.returncode, done.stderr), (0, ''), f'{options}')
    return done.stdout


def rows(text):
    """{name: (own, total)} of the output of -top."""
    return {name: (int(own), int(total))
            for own, total, name in ROW.findall(text)}


def trace(*options, command):
    case.trace('--format', 'pprof:out.pb', '--weight', 'calls',
               '--json=out.json', *options, command=command).wait(0)


def test_templates():
    """The calls of two instances of a template, or of two overloads, are not
    added up."""
    program = case.build('templates.cc')
    trace('-x', '/^_Z4pu/', command=[program])
    top = rows(pprof('-top'))
    for name, calls in (('int push<int>(int)', 3), ('long push<long>(long)', 5),
                        ('pull(int)', 1), ('pull(long)', 1)):
        case.equal(top.get(name), (calls, calls), f'{name} in {top}')
    trace('-C', '-x', '/^_Z4pu/', command=[program])
    top = rows(pprof('-top'))
    for name, calls in (('push<int>', 3), ('push<long>', 5)):
        case.equal(top.get(name), (calls, calls), f'-C: {name} in {top}')
    case.true(re.search(r'push<int> \S* ?s=0\(_Z4pushIiET_S0_\)|'
                        r'push<int> :0 s=0\(_Z4pushIiET_S0_\)',
                        pprof('-raw')), 'system_name is the symbol')


def test_script():
    (case.FOLDER / 'script.py').write_text(SCRIPT)
    before = time.time()
    trace('-w', '20', '-x', 'sqlite3_step',
          command=[case.PYTHON, 'script.py'])
    case.equal((case.FOLDER / 'out.pb').read_bytes()[:2], b'\x1f\x8b', 'gzip')
    gzip.decompress((case.FOLDER / 'out.pb').read_bytes())
    text = pprof('-top')
    top = rows(text)
    with open(case.FOLDER / 'out.json') as file:
        events = [json.loads(line) for line in file]
    calls = sum(event['event'] == 'call' for event in events)
    case.equal(top['<module>'], (0, calls), f'<module> in {text}')
    case.equal(top['ask'], (0, calls), f'ask in {text}')
    case.true('<unknown>' not in text, text)
    # The profile has the program, its start and its duration.
    program = re.match('File: (python3.*)\n', text)
    case.true(program, text)
    raw = pprof('-raw')
    mappings = re.findall(r'^\d+: 0x0/0x0/0x0 (\S+)\s+\[FN\]\[FL\]\[LN\]', raw,
                          re.M)
    case.equal(mappings, [program.group(1), 'libsqlite3.so.0'], 'mappings')
    case.true(re.search(r' M=2 sqlite3_step ', raw), f'its module: {raw}')
    began = re.search(r'^Time: (\d+-\d+-\d+ \d+:\d+:\d+)', raw, re.M).group(1)
    case.equal(began, time.strftime('%F %T', time.gmtime(events[0]['time'])),
               'the time')
    case.true(events[0]['time'] >= before - 1, 'a time')
    lasted = re.search(r'^Duration: ([\d.]+)(ms|s)?', text, re.M)
    shown = float(lasted.group(1)) * {'ms': 1, 's': 1000}[lasted.group(2)]
    wanted = (events[-1]['time'] - events[0]['time']) * 1000
    case.true(abs(shown - wanted) <= wanted / 50 + 1,
              f'{lasted.group(0)}: {wanted} ms')


def test():
    test_templates()
    test_script()


case.main(test)
