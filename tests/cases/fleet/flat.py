#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A long run needs no more memory, descriptors or threads than a short one: many
queries with many different texts, from workers that live for a moment, with
several outputs. All texts come in the first tenth. From then on only the
histograms of a table grow, and their size is limited. In a short run they are
not full at half time if the texts are many, so that it has few texts then. After
the third tenth, and with the table in the last half, the memory grows by less
than a twentieth.

SLOW:
TIMEOUT: 14400
"""
import os
import re

import case

# `make flat N=10000000`: that many queries, of 5000 workers, with a hundredth
# as many texts.
N = int(os.environ.get('XTRACE_QUERIES', 0))
WORKERS, QUERIES, TEXTS, TABLE_TEXTS = (
    (5000, N // 5000, N // 100, N // 100) if N else (400, 30, 600, 30))
TENTHS = 10
# The tenth with which the memory at the end is compared, from 0.
REFERENCE = 2
# Seconds, for each run.
LIMIT = case.LIMIT if N else 900
SCRIPT = f'''
import os, sqlite3, sys
for worker in range({WORKERS}):
    pid = os.fork()
    if pid == 0:
        base = sqlite3.connect(":memory:", cached_statements=0)
        base.execute("create table t(a)")
        for i in range({QUERIES}):
            text = (worker * {QUERIES} + i) % int(sys.argv[1])
            base.execute(f"select a as n{{text}}_ from t").fetchall()
        os._exit(0)
    assert os.waitpid(pid, 0)[1] == 0
    if worker % {WORKERS // TENTHS} == {WORKERS // TENTHS - 1}:
        print("tenth", worker, os.getpid(), flush=True)
        sys.stdin.readline()
'''
OUTPUTS = ('--json', '--prometheus', '--otlp', '--slow-log')


def needs(pid):
    """(kB of own memory, descriptors, threads) of a process."""
    with open(f'/proc/{pid}/status') as file:
        status = file.read()
    return (int(re.search(r'RssAnon:\s+(\d+) kB', status)[1]),
            len(os.listdir(f'/proc/{pid}/fd')),
            int(re.search(r'Threads:\s+(\d+)', status)[1]))


def output_of(option):
    return case.FOLDER / f'out{option}.prom'


def run(texts, *outputs):
    """What xtrace needs after each tenth of the work."""
    tracer = case.trace('-f', '--sql', *(
        f'{option}={output_of(option)}' for option in outputs),
        command=[case.PYTHON, case.FOLDER / 'workers.py', str(texts)],
        limit=LIMIT)
    found = []
    for tenth in range(TENTHS):
        line = tracer.child.wait_for(
            f'tenth {(tenth + 1) * WORKERS // TENTHS - 1} ')
        if tenth == REFERENCE and '--prometheus' in outputs:
            # The first metrics, which are written after some seconds, make
            # their buffers. The file exists from the beginning, and is empty.
            case.until(lambda: output_of('--prometheus').stat().st_size > 0,
                       'metrics', LIMIT)
        # xtrace may still have the descriptors of the last worker, which has
        # ended.
        case.child.wait_attached(int(line.split()[2]), tracer.child, LIMIT)
        found.append(needs(tracer.pid))
        tracer.child.say('')
    tracer.wait(0)
    memory, descriptors, threads = zip(*found)
    case.equal(len(set(descriptors[1:])), 1, f'descriptors: {descriptors}')
    case.equal(len(set(threads[1:])), 1, f'threads: {threads}')
    return memory


def test():
    case.true(QUERIES > 0, f'N={N} has a query for each of {WORKERS} workers')
    (case.FOLDER / 'workers.py').write_text(SCRIPT)
    memory = run(TEXTS, *OUTPUTS)
    case.true(memory[-1] < memory[REFERENCE] * 1.05, f'memory in kB: {memory}')
    with open(output_of('--json'), encoding='utf-8') as file:
        queries = sum('"select a as n' in line for line in file)
    case.equal(queries, WORKERS * QUERIES, 'queries')
    memory = run(TABLE_TEXTS, '--summary')
    case.true(memory[-1] < memory[TENTHS // 2] * 1.05,
              f'memory with a table in kB: {memory}')


case.main(test)
