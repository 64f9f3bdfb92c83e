#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace is killed, and its handler area stays. A later xtrace, which needs no
host then, attaches while two threads are inside pthread_sigmask(), to block
SIGTRAP: see processes/masking.c. Both must still block it after their first
traps, which they hit together.

NEEDS: root
"""
import os
import signal

import case
import child


def test():
    subject = case.start(case.build('../../processes/masking.c'), 'first')
    subject.wait_for('first')
    killed = case.attach(subject, '-x', 'f')
    os.kill(killed.pid, signal.SIGKILL)
    killed.child.wait()
    case.until(lambda: child.status_field(f'/proc/{subject.pid}/status',
                                          'TracerPid') == '0' and
               not case.text_changes(subject.pid), 'the bytes are restored')
    subject.say('again')
    subject.wait_for('ready')
    tracer = case.attach(subject, '-x', 'f')
    subject.say('attached')
    case.finish(subject)
    tracer.wait(0)


case.main(test)
