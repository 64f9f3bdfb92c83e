#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--min-time and --if with --engine=agent: calls that are certainly not shown
are left out inside the program. What is shown is what --engine=ptrace shows:
for random conditions, and in all ways of calling, leaving and ending of
support/counted.cc.

SLOW_CONDITIONS=N tries N random conditions, other ones each time; SEED=N those
of an earlier run.

TIMEOUT: 300
"""
import json
import os
import random
import re

import case

CONFIG = """\
int work(int x, long y);
long outer(int count, int from);
unsigned char narrow(unsigned char c, short s);
void fill(int x, +int *to);
int lengthy(string text);
double real(double x);
addr place(ulong at);
int spoil(string text, int x);
int sized(bytes[length] text, uint length);
int pair(string one, string other);
int unread(string text, int x);
"""
COUNTED_CONFIG = """\
int work(int x, addr then);
int inner(int x);
int passing(int x);
"""
# Conditions, and the least number of calls that must be left out inside, of
# 400 calls of each of six functions.
CONDITIONS = (
    ('retval < 0', 500),
    ('retval != 0 && retval != 3 && retval != 200', 200),
    ('retval == nil', 150),
    ('arg1 == 7 && retval != 0', 700),
    ('!(retval >= 0 || arg1 == 5)', 500),
    ('x == 17 && to == 34', 200),
    ('text == "tfxt"', 0),
    ('duration > 1h', 700),
    ('duration > 1h || retval == 3', 0),
)
OPERANDS = ('retval', 'arg1', 'arg2', 'x', 'c', 's', 'y', 'errno', 'depth')
RELATIONS = ('<', '<=', '>', '>=', '==', '!=')
# An argument of support/counted.cc, how many calls each of its loops makes, and
# the least share of all calls that the program must leave out itself.
WAYS = (
    ('threads', 100, 0.7),
    ('signals', 30, 0.3),
    ('alternate', 30, 0.3),
    ('jumps', 150, 0.1),
    ('exceptions', 150, 0.1),
    ('forks', 100, 0.3),
    ('vforks', 100, 0.3),
    ('fibers', 50, 0),
    ('exits', 100, 0.3),
    ('unloads', 50, 0.1),
    ('deep', 100, 0.2),
    ('counterless', 200, 0.2),
    ('execs', 200, 0.2),
)


def run(engine, config, subject, *options):
    """The lines, without threads, addresses and signals; what the program
    says; how many calls were left out inside."""
    path = case.FOLDER / 'types.conf'
    path.write_text(config)
    tracer = case.trace(f'--engine={engine}', '--stats', '-F', str(path),
                        *options, command=subject)
    tracer.wait(0)
    lines = [re.sub(r'0x[0-9a-f]{6,}', 'ADDRESS', line)
             for line in tracer.calls()]
    inside = re.search(r'counted inside the programs: (\d+)',
                       '\n'.join(tracer.says()))
    return lines, tracer.child.out, int(inside[1]) if inside else 0


def both(config, subject, ordered, *options):
    """Both engines show the same; returns the lines, and how many calls were
    left out."""
    wanted, out, inside = run('ptrace', config, subject, *options)
    case.equal(inside, 0, f'{options}: left out with ptrace')
    got, again, inside = run('agent', config, subject, *options)
    case.equal(again, out, f'{options}: output')
    if not ordered:
        got, wanted = sorted(got), sorted(wanted)
    for one, other in zip(got, wanted):
        case.equal(one, other, f'{subject[1]}, {options}')
    case.equal(len(got), len(wanted), f'{subject[1]}, {options}: lines')
    return got, inside


def random_condition(chance, depth):
    pick = chance.random()
    if depth == 0 or pick < 0.3:
        number = chance.choice((0, 1, -1, 5, 200, 255, 256, -5, 1 << 40,
                                -(1 << 31), chance.randrange(-60, 600)))
        return (f'{chance.choice(OPERANDS)} {chance.choice(RELATIONS)} '
                f'{number}')
    if pick < 0.4:
        return f'!({random_condition(chance, depth - 1)})'
    return (f'({random_condition(chance, depth - 1)} '
            f'{chance.choice(("&&", "||"))} '
            f'{random_condition(chance, depth - 1)})')


def conditions(subject):
    command = (subject, 'mixed', '400')
    for condition, least in CONDITIONS:
        _, inside = both(CONFIG, command, True, '-x', '*@libselected.so',
                         '--if', condition)
        case.true(inside >= least, f'{condition}: {inside} were left out')
    lines, _ = both(CONFIG, (subject, 'nested', '900'), True, '-x',
                    'work+outer', '-w', '4', '--if', 'retval == 3 && arg1 > 0')
    case.true(any(line.startswith('    outer+') for line in lines),
              f'stacks: {lines[:8]}')
    slow = int(os.environ.get('SLOW_CONDITIONS') or 0)
    seed = int(os.environ.get('SEED') or
               (random.randrange(1 << 32) if slow else 1))
    chance = random.Random(seed)
    for _ in range(slow or 4):
        condition = random_condition(chance, 3)
        try:
            both(CONFIG, command, True, '-x', '*@libselected.so', '--if',
                 condition)
        except BaseException:
            print(f'SEED={seed}: {condition}', flush=True)
            raise


def texts(subject):
    """A text is shown as it was at the entry, although the function or its
    caller has changed or freed it since. Most calls are left out inside, but
    not those with a text that is too long to be copied."""
    command = (subject, 'texts', '3000')
    for options, least in (((), 7000), (('-s', '8'), 7000),
                           (('-s', '2000'), 7000), (('--json',), 7000)):
        if options == ('--json',):
            lines, _, inside = run('agent', CONFIG, command, '-x',
                                   '*@libselected.so', '--if', 'retval < 0',
                                   *options)
            wanted, _, _ = run('ptrace', CONFIG, command, '-x',
                               '*@libselected.so', '--if', 'retval < 0',
                               *options)
            of = [[json.loads(line).get('args') for line in of]
                  for of in (lines, wanted)]
            case.equal(of[0], of[1], 'JSON: arguments')
        else:
            lines, inside = both(CONFIG, command, True, '-x',
                                 '*@libselected.so', '--if', 'retval < 0',
                                 *options)
        case.true(inside >= least, f'{options}: {inside} were left out')
    _, inside = both(CONFIG, (subject, 'unmapped', '1000'), True, '-x',
                     'unread', '--if', 'retval < 0')
    case.true(inside >= 400, f'unmapped: {inside} were left out')
    lines, _, inside = run('agent', CONFIG, command, '-x', 'spoil',
                           '--min-time', '1ms')
    for x in 999, 1999, 2999:
        letter = chr(ord('a') + x % 26)
        wanted = rf'spoil\("{letter}{{{x % 90}}}"(\.\.\.)?, {x}\)'
        case.equal(sum(bool(re.match(wanted, line)) for line in lines), 1,
                   f'{wanted}: {lines}')
    case.true(inside >= 2800, f'--min-time: {inside} were left out')


def min_time(subject):
    """Each 700th call is slow. The times of the first calls, at which xtrace
    stops, are estimates, and any call may wait for a CPU."""
    wanted = [f'work({x}, {x % 13 - 6})' for x in range(699, 20000, 700)]
    for way, times in ('plain', 1), ('threads', 4):
        lines, out, inside = run('agent', CONFIG, (subject, way, '20000'),
                                 '-x', '*@libselected.so', '--min-time', '1ms')
        case.equal(out, case.untraced(subject, way, '20000')[1], 'output')
        for call in wanted:
            got = [line for line in lines if line.startswith(call)]
            case.equal(len(got), times, f'{way}: {call}')
            x, y = map(int, re.findall(r'-?\d+', call))
            result = abs(x * y) % 11 * (1 if y > 0 else -1) - 5
            case.true(all(re.search(rf' = {result}$', line) for line in got),
                      f'{way}: {got}')
        case.true(inside > times * 20000 * 0.9, f'{way}: {inside} left out')
    lines, _, inside = run('agent', CONFIG, (subject, 'nested', '20000'), '-x',
                           '*@libselected.so', '--min-time', '1ms', '-n', '2')
    for x in range(699, 20000, 700):
        at = [i for i, line in enumerate(lines)
              if line.startswith(f'  work({x}, ')]
        case.equal(len(at), 1, f'nested: work({x})')
        begun = [line for line in lines if re.match(
            rf'outer\(100, {x // 100 * 100}\b', line)]
        case.equal(len(begun), 1, f'nested: outer of work({x})')
    case.true(inside > 20000 * 0.9, f'nested: {inside} left out')


def told(subject):
    """The JSON of both engines is equal, except for numbers and times."""
    def rows(engine):
        lines, _, _ = run(engine, CONFIG, (subject, 'mixed', '300'), '--json',
                          '-x', '*@libselected.so', '--if', 'retval < 0')
        rows = [json.loads(line) for line in lines]
        for row in rows:
            for key in list(row):
                if key in ('time', 'duration', 'pid', 'tid', 'id', 'wall',
                           'began', 'entry', 'return_address') or \
                        isinstance(row[key], float):
                    del row[key]
        return rows
    wanted, got = rows('ptrace'), rows('agent')
    for one, other in zip(got, wanted):
        case.equal(one, other, 'JSON')
    case.equal(len(got), len(wanted), 'JSON: rows')


def ways():
    subject = case.build('counted.cc')
    for way, count, least in WAYS:
        _, inside = both(COUNTED_CONFIG, (str(subject), way, str(count)),
                         False, '-f', '-x', 'work+inner+passing', '--if',
                         'retval > 60 && retval < 120')
        own = case.untraced(str(subject), way, str(count))[1]
        calls = sum(int(line.split()[1]) for line in own.splitlines())
        case.true(inside >= least * calls, f'{way}: {inside} of {calls}')


def test():
    subject = str(case.build('selected.c'))
    conditions(subject)
    texts(subject)
    min_time(subject)
    told(subject)
    ways()


case.main(test)
