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
import later                                                # noqa: E402
import torture                                              # noqa: E402

# If a signal comes while gdb steps over a breakpoint, gdb counts the same hit
# once more. xtrace gets a SIGURG every 20 ms while it attaches
# (tracer/model/clockwork). So no hit is counted: each breakpoint is removed when
# it is hit, and the next one is elsewhere.
FIRST = '''tbreak call_done
run
'''
NEXT = '''tbreak thread_resume_to_syscall
continue
tbreak call_done
continue
'''
LAST = '''shell kill -STOP {}
kill
'''
# After how many entries and exits of injected calls the kill comes: at the
# first entry, in a call that maps the handler area, in the call that sets the
# action, or in the call that maps more slots. The code of this last call is in
# the handler area.
BEFORE = (0, 3, 5, 7)
NAMED = 4  # so many, and the handler area names what is mapped


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
                         program=debugger.runs(FIRST + before * NEXT +
                                               LAST.format(subject.pid)))
    tracer.wait()
    there = case.until(lambda: place(subject.pid), 'the thread is stopped')
    case.true(mask(subject.pid) != '0' * 16,
              f'after {before} stops the thread is in an injected call: {there}')
    # Mappings that the handler area does not name yet (docs/SURVIVAL.md). When
    # it names them, its data begins with its magic bytes.
    unnamed = torture.text_changes(subject.pid)[1]
    named = any(' rw' in area for area in unnamed)
    case.equal(named, before >= NAMED,
               f'after {before} stops there is a handler area: {unnamed}')
    if named:
        unnamed = []
    tracer = later.attach(subject.pid)
    case.until(lambda: place(subject.pid) not in (None, there),
               f'the thread is led out of {there}')
    case.equal(mask(subject.pid), '0' * 16, f'the mask after {before} stops')
    os.kill(subject.pid, signal.SIGCONT)
    later.leave(tracer, subject.pid)
    faults, left = torture.text_changes(subject.pid)
    case.equal(faults, [], 'changes of their text')
    case.equal(set(left) - set(unnamed), set(),
               f'mappings of xtrace after {before} stops')
    subject.say('stop')
    case.finish(subject, 3)


def test():
    for before in BEFORE:
        one(before)


case.main(test)
