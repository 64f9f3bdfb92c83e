#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A duration is the program's: it excludes the time in which xtrace held the
thread, in the call itself and in the call around it, in every output. With
--wall it includes this time.

The calls are brief and xtrace writes five native frames of each, so nearly all
of the time between the stops is xtrace's. Sums of 300 calls are compared with
each other, which holds at any load. All processes run on one CPU: with two, the
time to wake up the other CPU varies more than the calls are long.

TIMEOUT: 60
"""
import json
import os
import re

import case

STACKS = ['-w', '5', '--stack=native', '-x', 'spin+around']
CALLS = 300
LEAST = 0.7  # of the inner calls' time, at least; the kernel counts coarsely
PART = 0.6  # the program's own time, at most, as a part of the wall time


def run(program, *options):
    tracer = case.trace(*options, *STACKS, command=[program, '5000'])
    tracer.wait(0)
    return tracer.lines(), [int(word) / 1e9
                            for word in tracer.child.out.split()]


def calls(program, *options):
    lines, told = run(program, '--json', *options)
    found = [row for row in map(json.loads, lines) if row['event'] == 'call']
    around = [row for row in found if row['name'] == 'around']
    case.equal((len(found), len(around)), (CALLS + 1, 1), 'calls')
    found.remove(around[0])
    return found, around[0], told


def total(rows, key):
    return sum(row[key] for row in rows)


def check_json(program):
    spins, around, (own, whole) = calls(program)
    case.true(total(spins, 'wall') >= own, 'the walls have what was spun')
    case.true(around['wall'] >= whole, 'so has that of the call around')
    case.true(all(row['duration'] <= row['wall'] for row in spins),
              'no duration is longer than its wall')
    case.true(around['duration'] * 2 < around['wall'],
              f'the call around: {around["duration"]} of {around["wall"]}')
    case.true(around['duration'] >= LEAST * total(spins, 'duration'),
              f'the call around: {around["duration"]}, with the inner ones')
    case.true(around['duration'] >= LEAST * own, 'and what they spun')


def check_wall(program):
    spins, around, (_, whole) = calls(program, '--wall')
    case.true(all(row['duration'] == row['wall'] for row in spins),
              '--wall: one and the same')
    case.true(around['duration'] >= whole, '--wall: all of it')


def figures(program, pattern, *options):
    """The sum of the numbers that the pattern finds in the lines, and the sums
    that the program measured."""
    lines, told = run(program, *options)
    found = [float(number) for line in lines
             for number in re.findall(pattern, line)]
    case.true(found, f'{options}: {pattern} in {lines[:5]}')
    return sum(found), told[1]


def check_others(program):
    for pattern, unit, options in (
            (r'around resumed.*<(\d+\.\d+)>', 1, ['-T']),
            (r'^ *[\d.]+ +([\d.]+) .* around$', 1, ['-c']),
            (r'^[^#].* (\d+)$', 1e-6, ['--folded']),
            (r'"name":"around".*"dur":([\d.]+)', 1e-6, ['--format=chrome'])):
        ours, whole = figures(program, pattern, *options)
        case.true(ours * unit < PART * whole,
                  f'{options}: {ours * unit} s of {whole}')
        wall, whole = figures(program, pattern, '--wall', *options)
        case.true(wall * unit >= whole * 0.999,
                  f'{options} --wall: {wall * unit} s of {whole}')


def check_min_time(program):
    """--min-time compares a call's own time."""
    lines, (_, whole) = run(program, '--min-time', '5ms', '--json')
    case.true(whole > 0.01, f'it is held for long: {whole}')
    slow = [row['duration'] for row in map(json.loads, lines)
            if row['event'] == 'call']
    case.true(all(took >= 0.005 for took in slow), f'slow calls: {slow}')
    case.true(len(slow) < CALLS / 2, f'{len(slow)} slow calls')


def test():
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    program = case.build('spins.c')
    check_json(program)
    check_wall(program)
    check_others(program)
    check_min_time(program)


case.main(test)
