#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A thread is stopped in the first instructions of Python's evaluation loop,
when its new frame is known but not filled in. Its stack is the caller's, or
has the new frame already, and always leads to the outermost frame.

NEEDS: gdb
TIMEOUT: 300
"""
import os
import signal
import subprocess

import case

LOOP = '_PyEval_EvalFrameDefault'
# In Debian's Python 3.11 the thread gets the new frame's record with the 22nd
# instruction; it is filled by the 28th. Steps near these are tried more often.
STEPS = (0, 13, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 40, 23, 24, 25)


def stand(pid, hits, steps):
    """Stops the thread this many instructions behind the loop's beginning, at
    this many-th run of the loop.
    """
    steps = [f'stepi {steps}'] if steps else []
    words = ['gdb', '-q', '-batch', '-p', str(pid)]
    for word in ('set confirm off', f'break *(&{LOOP})', f'ignore 1 {hits}',
                 'continue', *steps, f'shell kill -STOP {pid}', 'detach'):
        words += ['-ex', word]
    return subprocess.run(words, stdin=subprocess.DEVNULL, check=False,
                          capture_output=True, text=True).stdout


def frames(pid):
    said = subprocess.run([case.XTRACE, '--dump', '-p', str(pid)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return [line.split(' in ')[1] for line in said.splitlines()
            if 'python_loop_subject.py' in line]


def test():
    subject = case.start('/usr/bin/python3',
                         case.SUPPORT / 'python_loop_subject.py')
    subject.wait_for('ready')
    for number, steps in enumerate(STEPS):
        said = stand(subject.pid, 300 + number, steps)
        case.true(LOOP in said, f'it stands in the loop: {said}')
        found = frames(subject.pid)
        case.equal(found[-3:], ['work', 'main', '<module>'],
                   f'in round {number}, {steps} steps: {found}')
        os.kill(subject.pid, signal.SIGCONT)
    subject.kill()


case.main(test)
