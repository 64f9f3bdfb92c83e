#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""If a test runs into its time limit, the runner tells where each thread of the
test's processes is. gdb tells the frames of a process that is not traced.
"""
import os
import re
import shutil
import subprocess

import case
import child
import hung

CLOCK_NANOSLEEP = '230'


def failure(act):
    try:
        act()
    except case.Failure as fault:
        return str(fault)
    return case.fail('the time limit is over, and nothing has failed')


def check(text, pid, traced=False):
    """Checks the lines about a sleeping thread."""
    tracer = '[1-9][0-9]*' if traced else '0'
    wanted = [rf'process {pid}, 1 threads: /bin/sleep 600',
              rf'{pid} sleep: S \(sleeping\), tracer {tracer}, '
              r'wchan \w+, syscall \d+ 0x.*']
    if os.getuid() == 0 and os.path.exists('/proc/self/stack'):
        wanted.append('  kernel: .*nanosleep.*')
    for line in wanted:
        case.true(re.search(rf'^{line}$', text, re.M), f'{line}: {text}')
    frames = re.search('^  #0 ', text, re.M)
    case.equal(bool(frames), bool(not traced and shutil.which('gdb')),
               f'frames: {text}')


def start():
    subject = case.start('/bin/sleep', '600')
    case.until(lambda: case.calls_of(subject.pid) ==
               {subject.pid: CLOCK_NANOSLEEP}, 'it sleeps')
    return subject


def test_child():
    subject = start()
    subject.deadline = 0
    text = failure(subject.wait)
    case.true(text.startswith('time is up waiting for its end: '), text)
    check(text, subject.pid)


def test_state():
    subject = start()
    text = failure(lambda: case.until(lambda: False, 'a state', 0))
    case.equal(text.splitlines()[0], 'never came true: a state', 'the failure')
    check(text, subject.pid)
    subject.kill()


def test_unit():
    """Check's killpg() runs hung.py (tests/unit/base/hung_test.c)."""
    subject = start()
    text = subprocess.run([case.TESTS / 'lib' / 'hung.py', str(subject.pid)],
                          stdout=subprocess.PIPE, text=True, check=True).stdout
    case.equal(text.splitlines()[0], 'at the time limit of the test in process '
               f'{subject.pid}:', 'the first line for a unit test')
    check(text, subject.pid)
    subject.kill()


def test_traced():
    subject = start()
    tracer = case.Tracer(['--sample', '-p', str(subject.pid)])
    path = f'/proc/{subject.pid}/status'
    case.until(lambda: child.status_field(path, 'TracerPid') != '0', 'traced')
    check('\n'.join(hung.tell([subject.pid])), subject.pid, True)
    tracer.leave()
    subject.kill()


def test():
    test_child()
    test_state()
    test_unit()
    test_traced()


case.main(test)
