#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The time that --stats gives for how long threads were held at attach. For a
thread that runs, it is not longer than the pause that the thread itself has
seen, apart from the time for stopping the thread. For several processes,
--stats has the sum and the maximum. If all threads block in system calls that
must not be touched, it is zero.

TIMEOUT: 120
"""
import re
import time

import case

ROUNDS = 8  # attempts on a busy machine; one must succeed
LEAST = 0.01  # ms that a process is held, at least


def subjects(program, count, *words):
    found = [case.start(program, *words) for _ in range(count)]
    for subject in found:
        subject.wait_for('ready')
    return found


def held(of, planted):
    """Attaches and leaves. Returns the sum and the maximum of the times in ms
    that --stats prints.
    """
    began = time.monotonic()
    tracer = case.Tracer(['--stats', '-x', 'f'] +
                         [word for one in of for word in ('-p', str(one.pid))])
    for one in of:
        planted(one, tracer)
    tracer.leave()
    took = 1000 * (time.monotonic() - began)
    row = re.search(r'held at attach: (\S+) ms in all, (\S+) ms at most at a '
                    r'time', tracer.child.err)
    case.true(row, f'xtrace says: {tracer.child.err}')
    in_all, most = map(float, row.groups())
    case.true(most <= in_all <= took, f'{most} of {in_all} of {took} ms')
    return in_all, most


def planted(subject, tracer):
    case.wait_planted(subject.pid, tracer)


def end(of):
    for one in of:
        one.say('go')
        case.finish(one)


def one_that_runs(program):
    """The time that the process was held, and the longest time that it did not
    run."""
    of = subjects(program, 1)
    in_all, most = held(of, planted)
    case.equal(in_all, most, 'one process is held once')
    case.true(most >= LEAST, f'{most} ms are too few')
    end(of)
    return most, int(of[0].out.split('\n')[1]) / 1000


def test():
    program = case.build('held.c')
    rounds = []
    while not any(pause >= most / 2 for most, pause in rounds):
        case.true(len(rounds) < ROUNDS,
                  f'held for longer than the thread was: {rounds}')
        rounds.append(one_that_runs(program))
    of = subjects(program, 3)
    in_all, most = held(of, planted)
    case.true(2 * LEAST <= in_all - most <= 2 * most + 0.002,
              f'of three: {in_all} in all, {most} at most')
    end(of)
    of = subjects(program, 1, 'blocks')
    case.until(lambda: case.child.status_field(
        f'/proc/{of[0].pid}/status', 'State')[0] == 'S', 'the thread blocks')
    case.equal(held(of, lambda one, tracer: case.child.wait_attached(
        one.pid, tracer.child, case.LIMIT)), (0, 0),
               'held, of a process that must not be touched')
    end(of)
    print(rounds)


case.main(test)
