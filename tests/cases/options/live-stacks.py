#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""The key t of --live: where each thread is, with its stack, during the trace.
The calls in which threads block end as they do without xtrace.

TIMEOUT: 60
"""
import os
import re
import signal
import time

import case
from screen import Screen

# A thread works, one waits for a lock, one reads from a pipe with a call that
# EINTR would end. All end when a line is read.
CLIENT = r'''
import ctypes, os, sys, threading
libc = ctypes.CDLL(None, use_errno=True)
read_end, write_end = os.pipe()
over = threading.Event()
lock = threading.Lock()
calls = []

def work():
    while not over.is_set():
        sum(range(1000))

def wait_for_lock():
    with lock:
        pass

def read_pipe():
    buffer = ctypes.create_string_buffer(1)
    calls.append((libc.read(read_end, buffer, 1), ctypes.get_errno()))

lock.acquire()
threads = [threading.Thread(target=each)
           for each in (work, wait_for_lock, read_pipe)]
for thread in threads:
    thread.start()
print('ready', flush=True)
sys.stdin.readline()
over.set()
lock.release()
os.write(write_end, b'x')
for thread in threads:
    thread.join()
print(calls, flush=True)
sys.exit(3)
'''
WANTED = (3, 'ready\n[(1, 0)]\n', '')

# A thread makes one call after another.
BUSY = r'''
import os, sys, threading
file = os.open('/dev/zero', os.O_RDONLY)
over = False

def seek():
    while not over:
        os.lseek(file, 0, os.SEEK_SET)

thread = threading.Thread(target=seek)
thread.start()
print('ready', flush=True)
sys.stdin.readline()
over = True
thread.join()
sys.exit(3)
'''


def attach(subject, *options):
    words = ' '.join(['--live', *options, '-p', str(subject.pid)])
    screen = Screen(f'{case.XTRACE} {words}', width=120, height=90)
    screen.until(lambda lines: 'q leaves' in lines[-1], 'a page')
    return screen


def begin(*options):
    subject = case.start(case.PYTHON, '-c', CLIENT)
    subject.wait_for('ready')
    case.until(lambda: list(case.calls_of(subject.pid).values()).count('0') == 2,
               'two threads read')
    screen = attach(subject, *options)
    until_blocked(screen)
    go_back(screen)
    return subject, screen


def stacks(lines):
    """The lines of each thread, by its first line; nothing on another page."""
    found = {}
    if not re.match(r'\d+ threads? at ', lines[0]):
        return found
    for line in lines[1:-1]:
        if line.startswith('thread '):
            frames = found[line] = []
        elif line.strip():
            frames.append(line.strip())
    return found


def stack_with(lines, part):
    """The first line of the thread with this part in a frame, or ''."""
    return next((first for first, frames in stacks(lines).items()
                 if any(part in frame for frame in frames)), '')


def shows_all(lines):
    return lines[0].startswith('4 threads at ') and all(
        stack_with(lines, f'in {name}')
        for name in ('work', 'wait_for_lock', 'read_pipe', '<module>'))


def press(screen):
    """Presses t, and returns the page when it has all four threads."""
    screen.keys('t')
    return screen.until(lambda lines: len(stacks(lines)) == 4, 'four threads')


def go_back(screen):
    """Shows the table again. Only then it is known that xtrace has taken all
    keys, and that the page after the next t is a new one."""
    screen.keys('Escape')
    screen.until_line('s sorts')


def until_blocked(screen):
    """Looks again, from the table, until the threads that should block do so,
    and returns the page. A thread that xtrace has interrupted may wait for a CPU
    before it blocks again."""
    def blocked():
        lines = press(screen)
        if shows_all(lines) and all(
                stack_with(lines, f'in {name}').endswith(', blocked')
                for name in ('wait_for_lock', 'read_pipe')):
            return lines
        return go_back(screen)
    return case.until(blocked, 'two threads block')


def await_second():
    now = time.strftime('%S')
    case.until(lambda: time.strftime('%S') != now, 'the next second')


def look_again(screen):
    """The key t on the page of stacks: the page then has another time."""
    first = press(screen)[0]
    await_second()
    await_second()  # the clock of xtrace differs by less than a second
    screen.keys('t')
    screen.until(lambda lines: lines[0] != first and len(stacks(lines)) == 4,
                 'a later page')
    go_back(screen)


def look(subject, screen):
    lines = until_blocked(screen)
    pid = subject.pid
    case.true(stack_with(lines, 'in work').endswith(
        (', running', ', blocked')), lines)
    for name in ('wait_for_lock', 'read_pipe'):
        first = stack_with(lines, f'in {name}')
        case.true(first.startswith('thread ') and f' of {pid} (' in first
                  and first.endswith(', blocked'), lines)
    case.true('[blocked in read]' in str(stacks(lines)), lines)
    case.equal(lines[-1], 'up and down scroll, t looks again, Escape goes back, '
               'q leaves', 'the last line')
    go_back(screen)


def finish(subject):
    case.until(lambda: not case.text_changes(subject.pid), 'no trap is left')
    subject.say('')
    case.equal((subject.wait(), subject.out, subject.err), WANTED,
               'status and output')


def test_stacks():
    subject, screen = begin('-x', 'lseek')
    for _ in range(3):
        look(subject, screen)
    look_again(screen)
    screen.keys('q')
    screen.ended(0)
    finish(subject)


def test_with_samples():
    """--sample looks at the same threads at the same time."""
    subject, screen = begin('--sample=500')
    for _ in range(3):
        look(subject, screen)
    screen.keys('q')
    screen.ended(0)
    finish(subject)


def test_stopped():
    """A process that SIGSTOP has stopped stays stopped."""
    subject, screen = begin('-x', 'lseek')
    os.kill(subject.pid, signal.SIGSTOP)

    def all_stopped():
        lines = press(screen)
        go_back(screen)
        return all(first.endswith(', stopped') for first in stacks(lines))
    case.until(all_stopped, 'four stopped threads')
    os.kill(subject.pid, signal.SIGCONT)
    until_blocked(screen)
    go_back(screen)
    look(subject, screen)
    screen.keys('q')
    screen.ended(0)
    finish(subject)


def test_killed():
    """xtrace is killed while threads are interrupted, again and again."""
    subject, screen = begin('-x', 'lseek')
    screen.keys(*['t'] * 20)
    os.kill(tracer_of(subject), signal.SIGKILL)
    screen.killed()
    finish(subject)


def busy(*options):
    """A thread that hits traps often, or that is delayed, is shown with
    its frames. t is pressed once."""
    subject = case.start(case.PYTHON, '-c', BUSY)
    subject.wait_for('ready')
    screen = attach(subject, '-x', 'lseek', *options)
    screen.until_line('lseek')
    screen.keys('t')
    lines = screen.until(
        lambda lines: any('in seek' in str(frames) and 'in start_thread' in
                          str(frames) for frames in stacks(lines).values()),
        'all frames')
    case.true(stack_with(lines, 'in seek').endswith(', running'), lines)
    screen.keys('q')
    screen.ended(0)
    subject.say('')
    case.equal((subject.wait(), subject.err), (3, ''), 'status and errors')


def tracer_of(subject):
    with open(f'/proc/{subject.pid}/status') as file:
        return next(int(line.split()[1]) for line in file
                    if line.startswith('TracerPid:'))


def waits_of(tid):
    """How often the thread has waited."""
    with open(f'/proc/{tid}/status') as file:
        return next(int(line.split()[1]) for line in file
                    if line.startswith('voluntary_ctxt_switches:'))


def test_rest():
    """When all stacks are told, xtrace waits for stops again, and nothing wakes
    it each millisecond."""
    subject, screen = begin('-x', 'lseek', '--budget', '50%')
    look(subject, screen)
    tracer = tracer_of(subject)
    before = waits_of(tracer)
    time.sleep(1)
    case.true(waits_of(tracer) - before < 300, 'xtrace waits')
    screen.keys('q')
    screen.ended(0)
    finish(subject)


def test():
    case.equal(case.untraced(case.PYTHON, '-c', CLIENT, feed=['']), WANTED,
               'untraced')
    test_stacks()
    test_with_samples()
    test_stopped()
    test_killed()
    busy()
    busy('--inject', 'lseek:delay=600s')
    test_rest()


case.main(test)
