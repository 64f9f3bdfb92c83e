# SPDX-License-Identifier: GPL-2.0-or-later
"""The cost of --sample, beside perf: the row `sample`.

A script measures its own work: how much longer it takes by the clock, and the
true share of a function. How long a thread is held for a sample is what xtrace
says (--stats). A process whose 1000 threads wait shows what a round costs.
"""
import os
import re
import subprocess

from rows import row
from stacks import SCRIPTS
from tools import Skip, median

PYTHON = '/usr/bin/python3'
SUBJECT = [PYTHON, SCRIPTS / 'sampled.py']
IDLE = 1000
FEW_IDLE = 10
IDLE_SECONDS = 3


def sampled(bench, hz, seen):
    """Returns how long the script's work took by the clock, in ns. Adds to
    seen['held'] the us that a thread was held for a sample, and to
    seen['points'] by how many percentage points the sampled share is wrong."""
    folded = bench.folder / 'folded'
    done = bench.run([bench.xtrace, f'--sample={hz}', f'--folded={folded}',
                      '--stats', *SUBJECT])
    _, wall, share = (float(word) for word in done.stdout.split())
    seen['held'].append(float(re.search(
        r'held ([\d.]+) us for one', done.stderr).group(1)))
    times = dict.fromkeys(('first', 'second'), 0)
    for line in folded.read_text().splitlines():
        name = re.search(r';(first|second) \(', line)
        if name:
            times[name.group(1)] += int(line.rsplit(' ', 1)[1])
    got = times['first'] / sum(times.values())
    seen['points'].append(abs(got - share) * 100)
    return wall


def perf(bench, hz):
    data = bench.folder / 'perf.data'
    done = bench.run([bench.tool('perf'), 'record', '-F', hz, '-g', '-q', '-o',
                      data, '--', *SUBJECT])
    return float(done.stdout.split()[1])


def with_perf(bench):
    try:
        perf(bench, 99)
    except Skip as skip:
        bench.say('perf', f'skipped: {skip}')
        return False
    return True


def idle(bench, count):
    """Per cent of one CPU that xtrace takes beside threads that wait."""
    with subprocess.Popen([*SUBJECT, str(count)], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, cwd=bench.folder) as subject:
        try:
            subject.stdout.readline()
            def run(seconds):
                return bench.processor(
                    [bench.xtrace, '--sample=99', '--duration',
                     f'{seconds}s', '-o', os.devnull, '-p', subject.pid])
            # The first second is left out, because it contains the cost of the
            # attach.
            once = run(1)
            return (run(1 + IDLE_SECONDS) - once) / IDLE_SECONDS / 10
        finally:
            subject.kill()


@row
def sample(bench):
    beside = with_perf(bench)
    for hz, bound in (99, 1.01), (999, 1.05):
        seen = {'held': [], 'points': []}
        measures = {
            'alone': lambda: float(bench.run(SUBJECT).stdout.split()[1]),
            'sampled': lambda hz=hz, seen=seen: sampled(bench, hz, seen),
        }
        if beside:
            measures['perf'] = lambda hz=hz: perf(bench, hz)
        found = bench.rounds(measures)
        bench.ratio(found, 'sampled', 'alone', bound,
                    f'work of a script at {hz} Hz', scale=1e-6, unit='ms')
        if beside:
            bench.ratio(found, 'perf', 'alone', None,
                        f'the same under perf at {hz} Hz', scale=1e-6,
                        unit='ms')
        bench.line(median(seen['held']), 40,
                   f'us that a thread is held for a sample, {hz} Hz')
        # At 99 Hz the error has no limit, because there are few samples.
        bench.line(median(seen['points']), 2 if hz == 999 else None,
                   f'points by which a share is wrong, {hz} Hz')
    few, many = idle(bench, FEW_IDLE), idle(bench, IDLE)
    bench.line(many, 5, f'% of a CPU for {IDLE} threads that wait, 99 Hz')
    # An older xtrace, which looked at each thread in each round, had 19.
    bench.line(many / few, 8, f'times that for {FEW_IDLE} threads')
