#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A loader's list of 200 000 entries that lead nowhere, with names that do not
end: a bounded part of it is read, with one message, and a signal of the user's
is obeyed meanwhile, within a second of xtrace's own work.

TIMEOUT: 100
"""
import os
import resource
import signal

import case

# The CPU seconds that xtrace may use, which do not depend on how busy the
# machine is: to read the list four times, and after the signal. If xtrace read
# the whole list, reading it once would take minutes.
MOST_READING, MOST_LEAVING = 30, 1


def work_of(pid):
    """The CPU seconds that the process has used."""
    with open(f'/proc/{pid}/stat') as file:
        words = file.read().rsplit(')', 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf('SC_CLK_TCK')


def work_of_ended():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def leave(tracer):
    """Ends xtrace by SIGTERM while it reads the list."""
    ended, before = work_of_ended(), work_of(tracer.child.pid)
    tracer.leave(signal.SIGTERM)
    took = work_of_ended() - ended - before
    case.true(took < MOST_LEAVING, f'leaving takes {took:.2f} s of CPU')
    print(f'{before:.2f} s of CPU before the signal, {took:.2f} s after it')


def test():
    program = case.build('hostile_list.c')
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f')
    for turn in range(1, 4):
        subject.say('once')
        subject.wait_for(f'turn {turn}')
    took = work_of(tracer.child.pid)
    case.true(took < MOST_READING,
              f'reading the list four times takes {took:.2f} s of CPU')
    subject.say('often')
    leave(tracer)
    case.equal(case.count(tracer.calls(), 'f(%any'), 3, 'calls')
    case.equal(len(tracer.child.err.splitlines()), 1, tracer.child.err)
    case.true("the loader's list of process" in tracer.child.err,
              tracer.child.err)
    subject.kill()


case.main(test)
