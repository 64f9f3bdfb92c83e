#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""--heap=native: the blocks in use, the free memory by its lists, and the blocks
with their own mapping are what the program itself gets from mallinfo2() and
malloc_info(), to the byte, with several arenas. A program that allocates at
full speed is never counted wrong, and does not notice it, even if xtrace is
killed.

TIMEOUT: 120
"""
import ctypes
import signal
import time

import case
import heapcase
import nativecase
from nativecase import ODD, end, parts, start, total

TRIES = 40


def test_exact():
    subject = start()
    nativecase.check_exact(subject, 'glibc 2.36')
    end(subject)


def test_running():
    """What the threads do not touch is counted right each time."""
    subject = start('churn')
    counted = 0
    for _ in range(15):
        run = case.start(case.XTRACE, '--heap=native', '--top', '9999', '-p',
                         str(subject.pid))
        status = run.wait()
        if status:
            case.equal(status, 1, run.err)
            case.true('the heap of glibc makes no sense: ' in run.err, run.err)
            continue
        counted += 1
        rows, (_, size, mapped), free, _ = parts(run.out)
        case.equal(rows[ODD], (12, 12 * 1008), 'blocks of 1000 bytes')
        case.equal(free['thread cache: ' + ODD], (5, 5 * 1008), 'freed ones')
        case.equal(rows['malloc by mmap()'][0], 4, 'by mmap()')
        case.equal(total(free, '')[1] + size, mapped, 'all')
    case.true(counted > 0, 'a census of a running program')
    end(subject)


def test_killed():
    """xtrace is killed while it holds a thread."""
    subject = start('churn')

    def held():
        return any(case.child.status_field(
            f'/proc/{subject.pid}/task/{tid}/status', 'TracerPid') != '0'
            for tid in case.child.threads(subject.pid))
    seen = 0
    for _ in range(TRIES):
        run = case.start(case.XTRACE, '--heap=native', '-p', str(subject.pid))
        while run.alive() and not held():
            time.sleep(0)
        if run.alive():
            seen += 1
            run.signal(signal.SIGKILL)
        run.wait()
        case.until(lambda: not held(), 'xtrace left')
        if seen == 3:
            break
    case.true(seen > 0, f'xtrace was killed in none of {TRIES} runs')
    end(subject)


def test_compare():
    subject = start()
    run = case.start(case.XTRACE, '--heap=native', '--json', '-p',
                     str(subject.pid))
    case.equal(run.wait(), 0, run.err)
    (case.FOLDER / 'one.json').write_text(run.out)
    run = case.start(case.XTRACE, '--compare', 'one.json', 'one.json')
    case.equal((run.wait(), run.out.splitlines()[0].split()[-2:]),
               (0, ['glibc', '2.36']), run.err)
    end(subject)


def test_end():
    """A command is counted when it ends."""
    program = case.build('heap_native.c', case.FOLDER / 'built')
    wanted = case.untraced(program, feed=['end'])
    tracer = case.trace('--heap=native', '--top', '9999', command=[program])
    tracer.child.say('end')
    tracer.wait(wanted[0])
    # The arenas of threads may be other ones in each run.
    case.equal((tracer.child.out.splitlines()[-2:], tracer.err()),
               (['all', 'end'], ''), 'what it says')
    rows, _, free, _ = parts('\n'.join(tracer.lines()) + '\n')
    case.equal(rows[ODD], (12, 12 * 1008), 'blocks of 1000 bytes')
    case.equal(rows['malloc by mmap()'][0], 3, 'by mmap()')
    case.true(free['thread cache: ' + ODD][0] == 5, 'freed ones')


def test_first_thread_ends():
    """A command whose first thread ends before the others is counted when the
    last one ends."""
    program = case.build('heap_leader.c', case.FOLDER / 'leader')
    for words in ([], ['alone']):
        wanted = case.untraced(program, *words)
        tracer = case.trace('--heap=native', '--top', '9999',
                            command=[program, *words])
        tracer.wait(wanted[0])
        case.equal((tracer.says(), tracer.err()), ([], ''), 'what is said')
        rows, _, _, mapped = parts('\n'.join(tracer.lines()) + '\n')
        case.equal(rows[ODD], (42, 42 * 1008), 'blocks of 1000 bytes')
        case.true(str(program) in mapped, mapped)


def test_refused():
    subject = case.start(case.build('heap_static.c', case.FOLDER / 'static'))
    subject.wait_for('all')
    case.equal(heapcase.census(subject.pid, option='--heap=native', status=1),
               ('', f'xtrace: process {subject.pid} has no heap that xtrace '
                'knows: it runs no glibc 2.36 or glibc 2.41\n'), 'a static program')
    subject.close_input()
    case.finish(subject)


def test():
    version = ctypes.CDLL(None).gnu_get_libc_version
    version.restype = ctypes.c_char_p
    if version() != b'2.36':
        case.skip(f'glibc {version().decode()}')
    test_exact()
    test_running()
    test_killed()
    test_compare()
    test_end()
    test_first_thread_ends()
    test_refused()


case.main(test)
