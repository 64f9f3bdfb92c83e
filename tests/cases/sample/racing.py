#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Threads that block and run in turn, as often as they can, while running
threads are stopped a thousand times a second: some of them have begun to block
when they are stopped, and no system call ends early because of that.

TIMEOUT: 180
"""
import case


def race(mode):
    subject = case.start(case.build('racing.c'))
    subject.wait_for('ready')
    tracer = case.trace('--sample=999', f'--sample-mode={mode}', '--json',
                        '-p', str(subject.pid))
    case.until(lambda: len(tracer.lines()) > 3000, 'samples')
    case.equal(tracer.leave(), 0, 'status')
    subject.say('end')
    case.finish(subject)
    kinds = subject.out.splitlines()[1:]
    case.equal(len(kinds), 9, 'kinds')
    for line in kinds:
        case.true(line.endswith(': made, 0 wrong'), f'{mode}: {line}')


def test():
    race('cpu')
    race('wall')


case.main(test)
