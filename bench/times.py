# SPDX-License-Identifier: GPL-2.0-or-later
"""Are the times true? Calls of known length, as the trace shows them."""
import json

from rows import CPU, row
from tools import Skip

LENGTHS = (0, 1, 10, 100, 1000)  # us, as in bench/known.c
EACH = 2000


def parts(figures):
    figures = sorted(figures)
    return figures[len(figures) // 2], figures[len(figures) * 99 // 100]


def calls(bench, options, cpu):
    """For each call, the length that the program measured, in us, and the call
    in the trace. Also, per call, by how much the duration of the enclosing call
    exceeds the sum of the measured lengths."""
    done = bench.run(bench.ours(
        ['--json', *options], bench.subject('known', EACH)), cpu)
    told = [int(word) / 1e3 for word in done.stdout.split()]
    rows = [json.loads(line) for line in bench.trace.read_text().splitlines()]
    spins = [row for row in rows if row.get('name') == 'bench_spin']
    around = [row for row in rows if row.get('name') == 'bench_around']
    if len(spins) != len(told):
        raise Skip(f'{len(spins)} calls of {len(told)}')
    more = (around[0]['duration'] * 1e6 - sum(told)) / len(told) \
        if around else None
    return list(zip(told, spins)), more


def wrong(pairs, key, length):
    """By how much the durations of calls of this length are wrong, beyond one
    per cent."""
    return parts([max(0, abs(spin[key] * 1e6 - told) - told / 100)
                  for told, spin in pairs[LENGTHS.index(length)::len(LENGTHS)]])


@row
def times(bench):
    for cpu, where in ((CPU, 'same CPU'), (None, 'scheduled')):
        for name, options in (
                ('alone', ['-x', 'bench_spin']),
                ('within a traced call', ['-x', 'bench_spin+bench_around']),
                ('-w 5', ['-w', '5', '-x', 'bench_spin+bench_around']),
                ('merged stacks', ['-w', '5', '--stack=merged', '-x',
                                   'bench_spin+bench_around'])):
            show(bench, f'{name}, {where}', cpu, *calls(bench, options, cpu))


def show(bench, name, cpu, pairs, more):
    """Shows the worst of the errors, followed by the error for each length."""
    ours = [wrong(pairs, 'duration', length) for length in LENGTHS]
    raw = [wrong(pairs, 'wall', length) for length in LENGTHS]
    for at, bound, what in ((0, 1, 'median'), (1, 10, '99 %')):
        each = ', '.join(f'{length} us: {one[at]:.2f} ({all_[at]:.0f})'
                         for length, one, all_ in zip(LENGTHS, ours, raw))
        bench.line(max(one[at] for one in ours), bound if cpu == CPU else None,
                   f'us of error beyond 1 %, {what}, {name}', each)
    if more is not None:
        bench.line(more, None, 'us a call that the call around has more, '
                   f'{name}')
