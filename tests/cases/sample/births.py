#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A program that starts thousands of threads a second is sampled, as a command
and attached to, also by a sampler that is killed. No system call of the threads
fails or ends early, and the output and the status are as untraced.

TIMEOUT: 120
"""
import signal

import case

BIRTHS = 10000


def test_command(program):
    status, out, err = case.untraced(program, str(BIRTHS))
    case.equal(status, 3, err)
    for hz in 99, 999:
        tracer = case.trace(f'--sample={hz}', '--json', '-f',
                            command=[program, str(BIRTHS)])
        case.equal((tracer.wait(), tracer.child.out), (status, out), f'{hz} Hz')
        case.true(len(tracer.lines()) > 5, f'{hz} Hz: {tracer.child.err}')
    return out


def test_attached(program, wanted):
    for kill in False, True:
        subject = case.start(program, str(BIRTHS), 'wait')
        subject.wait_for('ready')
        tracer = case.Tracer(['--sample=499', '--sample-mode=wall', '--json',
                              '-p', str(subject.pid)])
        case.until(lambda: tracer.lines(), 'a first sample')
        subject.say('')
        seen = len(tracer.lines())
        case.until(lambda: len(tracer.lines()) > seen + 50 or
                   not subject.alive(), 'samples')
        if kill:
            tracer.child.signal(signal.SIGKILL)
        else:
            tracer.leave()
        case.equal((subject.wait(), subject.out), (3, wanted), f'kill: {kill}')


def test():
    program = case.build('births.c')
    test_attached(program, test_command(program))


case.main(test)
