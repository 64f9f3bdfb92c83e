# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs tests of Python's own suite, by name, once for each line that is not
'stop', beside threads that work all the time and compare their results.
"""
import hashlib
import json
import re
import sys
import threading
import time
import unittest

stopping = False
faults = []


def work(seed):
    rows = [{'n': n * seed % 97, 'text': str(n) * 3} for n in range(20)]
    again = json.loads(json.dumps(sorted(rows, key=lambda row: row['n'])))
    words = re.findall(r'\d+', ' '.join(row['text'] for row in again))
    try:
        int(words[0] + 'x')
    except ValueError as fault:
        words.append(type(fault).__name__)
    return hashlib.sha256(','.join(words).encode()).hexdigest()


def worker(seed):
    wanted = work(seed)
    while not stopping:
        if work(seed) != wanted:
            faults.append(seed)
        time.sleep(0.005)


threads = [threading.Thread(target=worker, args=(seed,)) for seed in (3, 5)]
for thread in threads:
    thread.start()
print('ready', flush=True)
for line in sys.stdin:
    if line == 'stop\n':
        break
    result = unittest.main(module=None, argv=['suite', '-b', *sys.argv[1:]],
                           exit=False, verbosity=0).result
    print(f'{result.testsRun} tests, {len(result.skipped)} skipped')
    for test, fault in result.failures + result.errors:
        print(test, fault)
    print(f'{line[:-1]} done', flush=True)
stopping = True
for thread in threads:
    thread.join()
print('faults', faults)
sys.exit(5)
