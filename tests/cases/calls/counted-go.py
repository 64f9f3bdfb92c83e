#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A Go program moves the stacks of its goroutines, and continues them on other
threads, within calls. xtrace says that the numbers of calls are not exact, and
counts no call inside the program (--engine=agent). If no function of the program
is traced, nothing is said. Functions in C that Go calls (cgo) run on the stacks
of the threads, and their calls are counted inside.

NEEDS: go
TIMEOUT: 300
"""
import os
import pathlib
import re
import subprocess

import case

COUNT = 40
CALLS = 8 * sum(n % 60 + 1 for n in range(COUNT))
COUNT_C = 3000  # calls of each of eight goroutines


def build(name, cgo):
    program = case.FOLDER / name
    cache = pathlib.Path(os.environ['BUILD_CACHE']) / 'go'
    subprocess.run(['go', 'build', '-o', program, case.SUPPORT / f'{name}.go'],
                   check=True, env={**os.environ, 'GOCACHE': cache,
                                    'CGO_ENABLED': cgo, 'GO111MODULE': 'off',
                                    'GOFLAGS': ''})
    return program


def trace(program, function, count):
    """Returns the tracer, what it has said, and how many calls were counted
    inside."""
    tracer = case.trace('-c', '--engine=agent', '--stats', '-x', function,
                        command=[program, count])
    tracer.wait(0)
    said = '\n'.join(tracer.says())
    inside = re.search(r'counted inside the programs: (\d+)', said)
    return tracer, said, int(inside[1]) if inside else -1


def said_of(program, function):
    tracer, said, inside = trace(program, function, COUNT)
    case.equal(tracer.child.out, f'{CALLS}\n', 'what the program says')
    case.equal(inside, 0, f'{function}: calls counted inside')
    return len(re.findall(r'counted is a Go program: .*not exact$', said, re.M))


def in_c(program):
    tracer, said, inside = trace(program, 'work_in_c', COUNT_C)
    case.equal(tracer.child.out, f'{8 * COUNT_C}\n', 'what the program says')
    rows = [line.split() for line in tracer.lines()]
    case.equal([int(row[3]) for row in rows if row[-1:] == ['work_in_c']],
               [8 * COUNT_C], 'calls in C')
    case.true(inside > 4 * COUNT_C, f'calls in C counted inside: {said}')


def test():
    program = build('counted', '0')
    case.equal(said_of(program, 'main.work'), 1, 'messages, main.work')
    case.equal(said_of(program, 'malloc'), 0, 'messages, malloc')
    in_c(build('countedc', '1'))


case.main(test)
