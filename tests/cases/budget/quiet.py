#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--budget: queries were left out once, and are not made any more. The counters
of Prometheus still say for how long queries are looked at, so rates that are
computed from the counters are right. The JSON has no event for this.
"""
import json
import re

import case

SCRIPT = '''
import sqlite3, sys, threading
base = sqlite3.connect(":memory:")
quiet = False
def listen():
    global quiet
    sys.stdin.readline()
    quiet = True
listener = threading.Thread(target=listen)
listener.start()
print("ready", flush=True)
while not quiet:
    base.execute("select 1").fetchall()
listener.join()
print("quiet", flush=True)
sys.stdin.readline()
'''
GAUGE = re.compile(r'xtrace_(looked_at|left_out)_seconds_total'
                   r'\{function="\(queries\)"\} ([\d.]+)')
LONGER = 2.5  # seconds: xtrace writes the counters once a second


def times(path):
    return {name: float(value) for name, value in
            GAUGE.findall(path.read_text() if path.exists() else '')}


def test():
    prometheus, path = case.FOLDER / 'out.prom', case.FOLDER / 'json'
    subject = case.start(case.PYTHON, '-c', SCRIPT)
    subject.wait_for('ready')
    tracer = case.Tracer(['--budget=2%', '--sql', '-q',
                          f'--prometheus={prometheus}', f'--json={path}', '-p',
                          str(subject.pid)])
    case.until(lambda: times(prometheus), 'queries were left out')
    subject.say('')
    subject.wait_for('quiet')
    case.until(lambda: re.findall('"out":([a-z]+)',
                                  path.read_text())[-1:] == ['false'],
               'they are looked at again')
    before = times(prometheus)
    case.until(lambda: times(prometheus).get('looked_at', 0) >
               before['looked_at'] + LONGER, f'{before} grows')
    tracer.leave()
    told = [event for event in map(json.loads, path.read_text().splitlines())
            if event['event'] == 'left-out']
    case.equal([event['out'] for event in told[:-1]],
               [i % 2 == 0 for i in range(len(told) - 1)], 'out and in, in turn')
    subject.say('')
    case.finish(subject)


case.main(test)
