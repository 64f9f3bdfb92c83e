#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches to a program before its first instruction, and the program
loads its libraries while xtrace reads what the program is. The libraries are
found nevertheless.

The program is stopped at its exec, and is continued when xtrace has seen that
the loader's list does not exist yet.
"""
import ctypes
import os
import signal

import case

TRACEME, DETACH = 0, 17
libc = ctypes.CDLL(None, use_errno=True)


def begin():
    """A process that has not run an instruction."""
    subject = case.start(case.build('newly-begun.c'), preexec=lambda:
                         libc.ptrace(TRACEME, 0, None, None))
    os.waitpid(subject.pid, os.WUNTRACED)
    libc.ptrace(DETACH, subject.pid, None, ctypes.c_void_p(signal.SIGSTOP))
    return subject


def test():
    subject = begin()
    tracer = case.Tracer(['-x', 'f+many*', '-D', 'tracer', '-p',
                          str(subject.pid)])
    tracer.child.wait_for('ld-linux-x86-64.so.2 at', 'err')
    subject.signal(signal.SIGCONT)
    subject.wait_for('ready')
    # The program runs while xtrace plants, and the library's turn comes last.
    case.until(lambda: any('libmod.so' in row for row in
                           case.text_changes(subject.pid)) or
               not tracer.child.alive(), 'f is planted')
    for _ in range(3):
        subject.say('')
    subject.close_input()
    case.finish(subject, 7)
    tracer.wait(0)
    called = [line for line in tracer.calls() if line.startswith('f(1, ')]
    case.equal(len(called), 3, f'calls of the library: {tracer.lines()}')


case.main(test)
