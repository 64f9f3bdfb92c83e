#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace leaves while the program is in a group-stop. Afterwards no thread is
in memory that xtrace has mapped, although both threads spend nearly all of
their time there, in a displaced instruction.

NEEDS: plain
"""
import os
import pathlib
import re
import signal

import case


def pcs(pid):
    """The pc of each thread of a stopped process."""
    return [int(case.until(lambda: re.search(
        r' (0x[0-9a-f]+)$', pathlib.Path(
            f'/proc/{pid}/task/{tid}/syscall').read_text()),
        f'{tid} has stopped')[1], 16) for tid in case.child.threads(pid)]


def in_slots(pid):
    """How many threads are in executable memory that belongs to no file."""
    slots = []
    for row in pathlib.Path(f'/proc/{pid}/maps').read_text().splitlines():
        words = row.split()
        if len(words) == 5 and 'x' in words[1]:
            slots.append([int(end, 16) for end in words[0].split('-')])
    return sum(start <= pc < end for start, end in slots for pc in pcs(pid))


def stopped(pid):
    return all(case.child.status_field(f'/proc/{pid}/task/{tid}/status',
                                       'State')[0] in 'tT'
               for tid in case.child.threads(pid))


def test():
    subject = case.start(case.build('in-slot.c'))
    subject.wait_for('ready')
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(lambda: len(tracer.lines()) > 4, 'calls are traced')
    os.kill(subject.pid, signal.SIGSTOP)
    case.until(lambda: stopped(subject.pid), 'all threads are stopped')
    tracer.leave()
    case.equal(in_slots(subject.pid), 0, 'threads in slots after leaving')
    os.kill(subject.pid, signal.SIGCONT)
    subject.say('stop')
    case.finish(subject)


case.main(test)
