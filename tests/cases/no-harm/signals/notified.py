#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A Go program that asks for SIGTRAP (signal.Notify) gets each of them, and
ends as it does untraced, while its own functions or the signal-handling
functions of Go's runtime are traced. xtrace starts it, or attaches and leaves.
Go makes its system calls without libc; a position-independent Go program does
so, too, although it has a loader. notified_often.py starts each program ten
times.

NEEDS: go
TIMEOUT: 600
"""
import os
import pathlib
import re
import subprocess

import case

MODES = ('exe', 'pie')
FILTERS = ('main.work', 'runtime.sighandler', 'runtime.sig*+main.work')
STARTS = 1
TURNS = 3
STATUS = 3
CALLS = 4 * 50 * TURNS + 1


def build(mode):
    program = case.FOLDER / f'notified-{mode}'
    cache = pathlib.Path(os.environ['BUILD_CACHE']) / 'go'
    subprocess.run(['go', 'build', f'-buildmode={mode}', '-o', program,
                    case.SUPPORT / 'notified.go'], check=True,
                   env={**os.environ, 'GOCACHE': cache, 'CGO_ENABLED': '0',
                        'GO111MODULE': 'off', 'GOFLAGS': ''})
    return program


def turns(child):
    child.wait_for('ready')
    for _ in range(TURNS):
        child.say('go')
        child.wait_for('done')


def started(program, wanted, rule, *options):
    tracer = case.trace(*options, '-x', rule, command=[program])
    turns(tracer.child)
    tracer.wait(STATUS)
    case.equal(tracer.child.out, wanted, f'{rule}: its output')
    case.equal(len(re.findall('xtrace: .* is a Go program: .*', tracer.child.err)),
               tracer.child.err.count('\n'), f'{rule}: what is on stderr')
    if rule == 'main.work':
        # If another thread continues a goroutine at a trap, the trace has the
        # call twice.
        case.true(case.count(tracer.calls(), 'main.work(%any') >= CALLS,
                  f'{CALLS} calls are traced')
    else:
        case.true(tracer.calls(), f'{rule}: calls are traced')


def attached(program, wanted, rule):
    child = case.start(program)
    child.wait_for('ready')
    for _ in range(TURNS):
        tracer = case.attach(child, '-x', rule)
        child.say('go')
        child.wait_for('done')
        tracer.leave()
    case.finish(child, STATUS)
    case.equal(child.out, wanted, f'attached, {rule}: its output')
    case.equal(child.err, '', f'attached, {rule}: its stderr')


def test(starts=STARTS):
    for mode in MODES:
        program = build(mode)
        alone = case.start(program)
        turns(alone)
        case.finish(alone, STATUS)
        for rule in FILTERS:
            for _ in range(starts):
                started(program, alone.out, rule)
            started(program, alone.out, rule, '-f')
            attached(program, alone.out, rule)


if __name__ == '__main__':
    case.main(test)
