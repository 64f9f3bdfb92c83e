#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The pipe of the trace is full and not read. xtrace waits, and so does the
thread that it has stopped. When xtrace is told to leave, it resumes the
thread, and ends.
"""
import fcntl
import os
import pathlib

import case
import child

SYS_WRITE = '1'


def writes(tracer):
    """True if a thread of xtrace is in a write to the pipe."""
    for tid in child.threads(tracer.pid):
        try:
            row = pathlib.Path(f'/proc/{tid}/syscall').read_text().split()
        except OSError:
            continue
        if row[0] == SYS_WRITE:
            return True
    return False


def leave_unread(program, output, says):
    subject = case.start(program)
    subject.wait_for('ready')
    tracer = case.Tracer(['-o', output, '-x', 'f', '-p', subject.pid],
                         to_file=False)
    case.until(lambda: writes(tracer) or not tracer.child.alive(),
               'the pipe is full')
    case.until(lambda: child.status_field(f'/proc/{subject.pid}/status',
                                          'State')[0] == 't',
               'a thread is held')
    tracer.leave(status=1)
    case.equal(tracer.says(), says, f'what xtrace says of {output}')
    case.same_text(subject.pid)
    subject.say()
    case.finish(subject, 3)


def test():
    program = case.build('loop.c')
    says = ['xtrace: the trace is not complete: nobody reads it']
    pipe = case.FOLDER / 'pipe'
    os.mkfifo(pipe)
    end = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    fcntl.fcntl(end, fcntl.F_SETPIPE_SZ, 4096)
    leave_unread(program, pipe, says)
    # xtrace writes the trace to a command. The command does not read it, but
    # waits for a line of another file.
    gate = case.FOLDER / 'gate'
    os.mkfifo(gate)
    end = os.open(gate, os.O_RDWR)
    leave_unread(program, f'|read line <{gate}', says)
    os.write(end, b'go\n')


case.main(test)
