# SPDX-License-Identifier: GPL-2.0-or-later
"""What the inside-*.py cases share. The programs of inside/ make many fast
queries, and slow ones, whose text has the word "slow". On a busy machine others
are slow, too, so only these are compared, each once. They take twice
--min-time."""
import os
import re

import case

SLOW = 'slow'
# What differs from run to run, or is unknown of a query whose calls were fast
# except for the last one: parts of the time, and bytes. The number "1 row" is
# not shown if no time was measured for fetching it.
NOT_COMPARED = re.compile(r'<[\d.]+>|first [\d.]+(, )?|between [\d.]+(, )?|'
                          r'(, )?\d+ bytes|^[\d:. ]+(?=\S)|1 row(?=[,)])')
FOLDER = case.SUPPORT / 'inside'


def environment():
    return {**{name: value for name, value in os.environ.items()
               if name.startswith(('PG', 'MARIADB'))},
            'PYTHONDONTWRITEBYTECODE': '1'}


def queries(tracer):
    """The queries, each with the frames of the program's own file."""
    found = []
    for line in tracer.lines():
        line = re.sub(r'^(\[pid +)?\d+\]? +(?=[\d:.]+ )', '', line)
        text = NOT_COMPARED.sub('', line).replace(' ()', '').strip()
        if re.match(r'[\d:.]+ ', line):
            found.append([text])
        elif found and str(FOLDER) in text:
            found[-1].append(text)
    return sorted({tuple(query) for query in found if SLOW in query[0]})


def run(engine, command):
    tracer = case.trace('--sql', '--min-time', '50ms', '-w', '9', '-s', '200',
                        f'--engine={engine}', '--stats', command=command,
                        env=environment())
    tracer.wait(0)
    inside = re.search(r'counted inside the programs: (\d+)',
                       '\n'.join(tracer.says()))
    return queries(tracer), tracer.child.out, int(inside[1]) if inside else 0


def same(slow, least, *command):
    """Checks that both engines show the same slow queries of the program, how
    many these are, and that at least so many calls pass inside the program."""
    subject = case.start(*command, env=environment())
    subject.wait()
    wanted, out, inside = run('ptrace', command)
    case.equal(out, subject.out, f'{command}: output with ptrace')
    case.equal(inside, 0, f'{command}: calls inside, with ptrace')
    case.equal(len(wanted), slow, f'{command}: {wanted}')
    got, out, inside = run('agent', command)
    case.equal(out, subject.out, f'{command}: output with agent')
    for one, other in zip(got, wanted):
        case.equal(one, other, f'{command}')
    case.equal(len(got), len(wanted), f'{command}: {got}')
    case.true(inside >= least, f'{command}: {inside} calls passed inside')
