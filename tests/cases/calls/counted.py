#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""-c with --engine=agent: calls are counted inside the program. The program
counts its own calls, in many ways of calling, leaving and ending; the table
must say the same numbers, whichever engine, and most of them must have been
counted inside.

TIMEOUT: 120
"""
import re

import case

# A way of calling, how many calls each of its loops makes, and the least part
# of all calls that must be counted inside.
WAYS = (
    ('plain', 200000, 0.99),
    ('threads', 2000, 0.9),
    ('signals', 1000, 0.8),
    ('alternate', 1000, 0.8),
    ('jumps', 500, 0.2),
    ('exceptions', 500, 0.2),
    ('forks', 2000, 0.5),
    ('vforks', 1000, 0.5),
    ('spawns', 1000, 0.9),
    ('clones', 3000, 0.3),
    ('fibers', 100, 0),
    ('exits', 1000, 0.5),
    ('unloads', 1000, 0.1),
    ('deep', 500, 0.3),
    ('counterless', 1000, 0.5),
    ('execs', 3000, 0.5),
)

FAULTED = 'its calls are no longer counted or left out inside it'


def table(lines):
    """{function: its number of calls} of the table."""
    rows = (line.split() for line in lines)
    return {row[4]: int(row[3]) for row in rows
            if len(row) == 5 and row[3].isdigit()}


def counted(engine, subject, way, count):
    """What the table says, what the program says, and what --stats says."""
    tracer = case.trace('-c', f'--engine={engine}', '--stats', '-x',
                        'work+inner+passing',
                        command=(str(subject), way, str(count)))
    tracer.wait(0)
    own = dict(line.split() for line in tracer.child.out.splitlines())
    said = '\n'.join(tracer.says())
    inside = re.search(r'counted inside the programs: (\d+)', said)
    case.equal(re.findall(r'process \d+: (.*),', said),
               [FAULTED] if (engine, way) == ('agent', 'counterless') else [],
               f'{way}: what is said')
    if way == 'plain':
        jumps = re.findall(r'^xtrace: hot site (?:work|inner|return to \S+): '
                           r'a jump; stops since then: \d+$', said, re.M)
        case.equal(len(jumps), 5, f'sites with a jump: {said}')
        case.true('threads counted inside: 1, each in 16 KiB' in said, said)
    return (table(tracer.lines()), {name: int(n) for name, n in own.items()},
            int(inside[1]) if inside else None)


def test():
    subject = case.build('counted.cc')
    for way, count, least in WAYS:
        got, own, inside = counted('agent', subject, way, count)
        case.equal(got, own, f'agent, {way}')
        part = inside / sum(own.values())
        case.true(part >= least, f'{way}: {part:.3f} were counted inside')
    got, own, inside = counted('ptrace', subject, 'threads', 10)
    case.equal(got, own, 'ptrace, threads')
    case.equal(inside, None, 'ptrace: counted inside')


case.main(test)
