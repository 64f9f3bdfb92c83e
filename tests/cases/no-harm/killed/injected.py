#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed while a thread executes an injected system call, and
another xtrace attaches before the thread has left the code of that call. The
second xtrace leads the thread out of the code, with its signal mask, and puts
back the bytes that were there. A debugger kills the first xtrace. A SIGSTOP,
which cannot be blocked, keeps the thread in the code.

NEEDS: gdb plain
TIMEOUT: 120
"""
import os
import pathlib
import signal
import sys

sys.path.insert(0, str(pathlib.Path(os.environ['TESTS']) / 'torture'))

import case                                                 # noqa: E402
import child                                                # noqa: E402
import debugger                                             # noqa: E402
import torture                                              # noqa: E402

SCRIPT = '''break call_done
ignore 1 {}
run
shell kill -STOP {}
kill
'''
# After how many entries and exits of injected calls the kill comes: at the
# first entry, in a call that maps the handler area, in the call that sets the
# action, or in the call that maps more slots. The code of this last call is in
# the handler area.
BEFORE = (0, 3, 5, 7)


def place(pid):
    """Where the stopped thread is: the name of the mapping, and the pc. None
    if the thread is not stopped: it runs for a moment before it stops, and
    while it is led out."""
    state = child.status_field(f'/proc/{pid}/status', 'State')
    words = pathlib.Path(f'/proc/{pid}/syscall').read_text().split()
    if state[0] not in 'tT' or words == ['running']:
        return None
    pc = int(words[-1], 16)
    for row in pathlib.Path(f'/proc/{pid}/maps').read_text().splitlines():
        begin, end = (int(part, 16) for part in row.split()[0].split('-'))
        if begin <= pc < end:
            return ' '.join(row.split()[5:]), pc
    return None, pc


def mask(pid):
    return child.status_field(f'/proc/{pid}/status', 'SigBlk')


def one(before):
    subject = case.start(case.build('../../leave/support/loop.c'))
    subject.wait_for('ready')
    case.equal(mask(subject.pid), '0' * 16, 'the mask')
    tracer = case.Tracer(['-e', '*', '-x', '*', '-p', str(subject.pid)],
                         program=debugger.runs(SCRIPT.format(
                             before, subject.pid)))
    tracer.wait()
    there = case.until(lambda: place(subject.pid), 'the thread is stopped')
    case.true(mask(subject.pid) != '0' * 16,
              f'after {before} stops the thread is in an injected call: {there}')
    # A mapping that the handler area does not name yet (docs/SURVIVAL.md).
    unnamed = torture.text_changes(subject.pid)[1] if before < 4 else []
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(lambda: place(subject.pid) not in (None, there),
               f'the thread is led out of {there}')
    case.equal(mask(subject.pid), '0' * 16, f'the mask after {before} stops')
    os.kill(subject.pid, signal.SIGCONT)
    case.until(lambda: torture.lines_of(tracer) or not tracer.child.alive(),
               'something is traced')
    tracer.leave()
    faults, left = torture.text_changes(subject.pid)
    case.equal(faults, [], 'changes of their text')
    case.equal(set(left) - set(unnamed), set(), 'mappings of xtrace')
    subject.say('stop')
    case.finish(subject, 3)


def test():
    for before in BEFORE:
        one(before)


case.main(test)
