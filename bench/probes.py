# SPDX-License-Identifier: GPL-2.0-or-later
"""The cost of SDT probes: of one, and of a function of a script, which has one
at its entry and one at its return.
"""
import pathlib

from rows import CPU, loop, row
from tools import Skip


@row
def probe(bench):
    """An SDT probe stops its thread once, a call twice."""
    for cpu, where in ((CPU, 'same CPU'), (None, 'scheduled')):
        measure = bench.mean if cpu is None else bench.typical
        commands = {
            'call': bench.ours(['-x', 'bench_int'], loop(bench)),
            'probe': bench.ours(['-x', '%bench:probe'], loop(bench, 'probe')),
        }
        found = bench.rounds({
            name: lambda c=command, m=measure, p=cpu: m(c, p)
            for name, command in commands.items()})
        bench.ratio(found, 'probe', 'call', 1.0 if cpu == CPU else None,
                    f'an SDT probe and its line, {where}')


@row
def script(bench, calls=10000):
    """A method of Ruby under --script-calls, and a function in C. Each call has
    two stops and a line. At its two probes, the method's names are read."""
    ruby = [bench.tool('ruby'), '--disable-gems',
            pathlib.Path(__file__).resolve().parent / 'scripts/called.rb', calls]
    options = ['--script-calls', '-x', 'rb:Array#rindex']
    seen = bench.stats(options, ruby, CPU)[1]['calls']
    if seen != calls:
        raise Skip(f'{seen:.0f} of {calls} calls of the method were seen')
    for cpu, where in ((CPU, 'same CPU'), (None, 'scheduled')):
        measure = bench.mean if cpu is None else bench.typical
        commands = {
            'method': bench.ours(options, ruby),
            'function': bench.ours(['-x', 'bench_int'],
                                   loop(bench, calls=calls)),
        }
        found = bench.rounds({
            name: lambda c=command, m=measure, p=cpu: m(c, p)
            for name, command in commands.items()})
        bench.ratio(found, 'method', 'function', None,
                    f'a method of Ruby and its line, {where}')
