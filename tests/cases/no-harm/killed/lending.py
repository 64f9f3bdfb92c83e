#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed while a thread makes a call for it, and another xtrace comes
before the thread is out of that code again: it is led out, with its signal
mask, and the code's place is as it was. A debugger kills it there; the thread
is kept there by a SIGSTOP, which cannot be blocked.

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
# The entries and exits before that: of two mappings for a home, of its action,
# of more slots. The last is called from within the home.
BEFORE = (0, 3, 5, 7)


def place(pid):
    """Where the stopped thread is: the mapping's name, and the pc. None if it
    is not stopped: it runs for some moments when it is let go to its stop, and
    when it is led out."""
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
    there = case.until(lambda: place(subject.pid), 'it is stopped')
    case.true(mask(subject.pid) != '0' * 16,
              f'after {before} stops it is in a borrowed one: {there}')
    # docs/SURVIVAL.md: mapped, and not yet named.
    unnamed = torture.text_changes(subject.pid)[1] if before < 4 else []
    tracer = case.Tracer(['-x', 'f', '-p', str(subject.pid)])
    case.until(lambda: place(subject.pid) not in (None, there),
               f'it is led out of {there}')
    case.equal(mask(subject.pid), '0' * 16, f'the mask after {before} stops')
    os.kill(subject.pid, signal.SIGCONT)
    case.until(lambda: torture.lines_of(tracer) or not tracer.child.alive(),
               'something is traced')
    tracer.leave()
    faults, left = torture.text_changes(subject.pid)
    case.equal(faults, [], 'changes of their text')
    case.equal(set(left) - set(unnamed), set(), 'mappings of ours')
    subject.say('stop')
    case.finish(subject, 3)


def test():
    for before in BEFORE:
        one(before)


case.main(test)
