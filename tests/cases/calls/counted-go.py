#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A Go program moves the stacks of its goroutines, and continues them on other
threads, within calls. xtrace says that the numbers of calls are not exact, and
counts no call inside the program (--engine=agent). If no function of the program
is traced, nothing is said.

NEEDS: go
TIMEOUT: 120
"""
import os
import pathlib
import re
import subprocess

import case

COUNT = 40
CALLS = 8 * sum(n % 60 + 1 for n in range(COUNT))


def build():
    program = case.FOLDER / 'counted'
    cache = pathlib.Path(os.environ['BUILD_CACHE']) / 'go'
    subprocess.run(['go', 'build', '-o', program, case.SUPPORT / 'counted.go'],
                   check=True, env={**os.environ, 'GOCACHE': cache,
                                    'CGO_ENABLED': '0', 'GO111MODULE': 'off',
                                    'GOFLAGS': ''})
    return program


def said(program, function):
    tracer = case.trace('-c', '--engine=agent', '--stats', '-x', function,
                        command=[program, COUNT])
    tracer.wait(0)
    case.equal(tracer.child.out, f'{CALLS}\n', 'what the program says')
    said = '\n'.join(tracer.says())
    inside = re.search(r'counted inside the programs: (\d+)', said)
    case.equal(inside and inside[1], '0', f'{function}: calls counted inside')
    return len(re.findall(r'counted is a Go program: .*not exact$', said, re.M))


def test():
    program = build()
    case.equal(said(program, 'main.work'), 1, 'messages, main.work')
    case.equal(said(program, 'malloc'), 0, 'messages, malloc')


case.main(test)
