#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches and detaches 80 times while 8 threads call the traced
function, and 20 times with a function that begins with an instruction of one
byte; attach_detach_often.py does so 200 and 50 times.

SERIAL: it counts calls on a machine of its own
TIMEOUT: 400
"""
import mmap
import re
import struct

import case

THREADS = 8


class Counters:
    def __init__(self, path):
        with open(path, 'r+b') as file:
            self.map = mmap.mmap(file.fileno(), 4096)

    def rows(self):
        return [struct.unpack_from('<4q', self.map, 64 * i)
                for i in range(THREADS)]

    def sums(self):
        return [sum(column) for column in zip(*self.rows())]

    def settle(self):
        """Waits until each thread has counted two more calls. The first one may
        have ended before, if the thread then waited for a CPU.
        """
        before = [row[0] for row in self.rows()]
        case.until(lambda: all(row[0] > calls + 1 for row, calls in
                               zip(self.rows(), before)), 'all threads go on')


def one_round(subject, counters, number):
    _, before, unsure_before, _ = counters.sums()
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(lambda: counters.sums()[1] > before + 40
               or not tracer.child.alive(), 'calls are traced')
    tracer.leave()
    case.true(subject.alive(), f'the subject lives after round {number}')
    counters.settle()
    calls, after, unsure, wrong = counters.sums()
    case.until(lambda: counters.sums()[0] > calls + 1000, 'it goes on')
    case.equal(wrong, 0, 'wrong results')
    case.true(after == counters.sums()[1], 'no byte is left behind')
    lines = sum(1 for line in tracer.lines() if re.match(r'\d+ f\(', line))
    slack = unsure - unsure_before + THREADS
    if abs(lines - (after - before)) > slack:
        case.fail(f'round {number}: {lines} lines, {after - before} calls '
                  f'and {unsure - unsure_before} perhaps')
    return lines


def rounds(many, variant=''):
    folder = case.FOLDER / f'as.{variant}'
    program = case.build('attach-detach.c', folder, variant)
    subject = case.start(program, folder / 'counters', limit=150)
    subject.wait_for('ready')
    counters = Counters(folder / 'counters')
    lines = sum(one_round(subject, counters, number)
                for number in range(many))
    case.true(lines > many * 20, f'enough lines: {lines}')
    case.same_text(subject.pid)
    subject.say('stop')
    case.finish(subject)
    case.true('right' in subject.out, 'every result was right')


def test(many):
    rounds(many)
    rounds(many // 4, 'push')


if __name__ == '__main__':
    case.main(lambda: test(80))
