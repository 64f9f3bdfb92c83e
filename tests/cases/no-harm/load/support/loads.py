# SPDX-License-Identifier: GPL-2.0-or-later
"""Large amounts: threads, processes, libraries that are loaded and unloaded,
calls that are traced to a slow reader. The program's output and status are the
same as untraced, every call is in the trace, and the memory of xtrace has a
bound. The figures are printed.
"""
import os
import pathlib
import re
import threading
import time

import case

# KiB at most for xtrace, for a thread, for a process: twice what was measured.
BASE, A_THREAD, A_PROCESS = 22000, 8, 280
# KiB at most of xtrace's own code, and of its libraries', that it uses for the
# first time. How much the kernel maps with a page depends on its page cache.
CODE = 1024
FILTER = ['-F', 'p.conf', '-x', 'f']
# Executable mappings without a file. In a traced process, xtrace made them.
ANONYMOUS = re.compile(r'([0-9a-f]+)-([0-9a-f]+) r-xp 0+ 00:00 0 *$', re.M)


def field(pid, name):
    text = case.child.status_field(f'/proc/{pid}/status', name)
    return int(text.split()[0])


def peak(tracer):
    """The most KiB of memory that xtrace has had."""
    return field(tracer.pid, 'VmHWM')


def bounded(most, base, each, count):
    """Fails if `most` KiB, the peak of xtrace's memory, is more than `base` KiB
    and `each` KiB for each of `count` threads or processes. A sanitizer keeps
    memory that was freed, so the peak of a sanitized xtrace is not compared."""
    case.true(case.SANITIZED or most <= base + each * count,
              f'xtrace has {most} KiB for {count}')


def slots_of(pid):
    """KiB of slots, and other executable memory of xtrace's, in a traced
    process."""
    text = pathlib.Path(f'/proc/{pid}/maps').read_text()
    return sum(int(end, 16) - int(begin, 16)
               for begin, end in ANONYMOUS.findall(text)) >> 10


def prepare(name):
    (case.FOLDER / 'p.conf').write_text('long f(long);\n')
    return case.build(name)


def calls_begun(path):
    """How many calls of f begin in the trace, and how many return."""
    begun = ended = 0
    with open(path, errors='replace') as file:
        for row in file:
            begun += ' f(' in row or row.startswith('f(')
            ended += re.search(r'= \d+$', row) is not None
    return begun, ended


def outcome(child, steps=(), at_steps=()):
    """For each step: waits for a line of the child, calls the function of
    at_steps, if there is one, and writes the step to the child."""
    for number, step in enumerate(steps):
        child.wait_for('' if number else 'ready')
        if number < len(at_steps) and at_steps[number]:
            at_steps[number]()
        child.say(step)
    return child.wait(), child.out, case.messages(child.err, True)[1]


# ---- threads


def threads_started(program, count, calls):
    command = [program, count, calls]
    wanted = outcome(case.start(*command), 'cq')
    tracer = case.trace(*FILTER, command=command)
    seen = []
    began = time.monotonic()
    got = outcome(tracer.child, 'cq', [None, lambda: seen.append(
        (peak(tracer), time.monotonic() - began))])
    case.equal(got, wanted, 'status and output')
    case.equal(wanted[0], 5, 'status')
    begun, ended = calls_begun(tracer.path)
    case.equal((begun, ended), (count * calls,) * 2, 'calls, and returns')
    print(f'{count} threads: {begun} calls in {seen[0][1]:.1f} s, xtrace has '
          f'{seen[0][0]} KiB')
    bounded(seen[0][0], BASE, A_THREAD, count)


def threads_attached(program, count, calls):
    subject = case.start(program, count, calls)
    subject.wait_for('ready')
    began = time.monotonic()
    tracer = case.attach(subject, *FILTER)
    attached = time.monotonic() - began
    subject.say('c')
    subject.wait_for('round')
    most = peak(tracer)
    began = time.monotonic()
    tracer.leave()
    left = time.monotonic() - began
    case.same_text(subject.pid)
    case.equal(calls_begun(tracer.path), (count * calls,) * 2, 'calls')
    print(f'{count} threads: attached in {attached:.2f} s, left in '
          f'{left:.2f} s, xtrace has {most} KiB')
    bounded(most, BASE, A_THREAD, count)
    subject.say('c')
    subject.wait_for('round')
    subject.say('q')
    case.finish(subject, 5)
    case.equal(subject.out, 'ready\nround\nround\nright\n', 'output')


def threads_running(program, count, rounds):
    """xtrace attaches and leaves while all threads make calls."""
    subject = case.start(program, count, 20)
    subject.wait_for('ready')
    subject.say('run')
    subject.wait_for('running')
    for _ in range(rounds):
        began = time.monotonic()
        tracer = case.Tracer([*FILTER, '-p', str(subject.pid)])
        case.until(lambda: tracer.path.exists() and
                   calls_begun(tracer.path)[0] > 3 * count,
                   'calls are traced')
        attached, most = time.monotonic() - began, peak(tracer)
        began = time.monotonic()
        tracer.leave()
        print(f'{count} threads that run: seen in {attached:.2f} s, left in '
              f'{time.monotonic() - began:.2f} s, xtrace has {most} KiB')
        bounded(most, BASE, A_THREAD, count)
        case.same_text(subject.pid)
    subject.say('stop')
    subject.wait_for('round')
    subject.say('c')
    subject.wait_for('round')
    subject.say('q')
    case.finish(subject, 5)
    case.equal(subject.out, 'ready\nrunning\nround\nround\nright\n',
               'output')


def threads(count, calls, running, rounds):
    program = prepare('threads.c')
    threads_started(program, count, calls)
    threads_attached(program, count, calls)
    threads_running(program, running, rounds)


# ---- processes


def processes(count, calls):
    program = prepare('processes.c')
    command = [program, count, calls]
    wanted = outcome(case.start(*command), 'gg')
    case.equal(wanted[0], 5, 'status')
    # xtrace starts the program.
    tracer = case.trace('-f', *FILTER, command=command)
    seen = []
    began = time.monotonic()
    got = outcome(tracer.child, 'gg', [
        lambda: seen.append(peak(tracer)), lambda: seen.append(peak(tracer))])
    case.equal(got, wanted, 'status and output')
    case.equal(calls_begun(tracer.path), (count * calls,) * 2, 'calls')
    print(f'{count} processes: {count * calls} calls in {time.monotonic() - began:.1f}'
          f' s, xtrace has {seen[0]} KiB, then {seen[1]}')
    # xtrace attaches to all processes.
    subject = case.start(*command)
    subject.wait_for('ready')
    there = case.child.children(subject.pid)
    case.equal(len(there), count, 'children')
    began = time.monotonic()
    tracer = case.Tracer(['-f', *FILTER, '-p', str(subject.pid)])
    for pid in there:
        case.wait_planted(pid, tracer)
    case.child.wait_attached(subject.pid, tracer.child, case.LIMIT)
    print(f'attached in {time.monotonic() - began:.1f} s')
    # xtrace leaves, and attaches once more.
    began = time.monotonic()
    tracer.leave()
    print(f'left in {time.monotonic() - began:.1f} s')
    for pid in there:
        case.same_text(pid)
    tracer = case.Tracer(['-f', *FILTER, '-p', str(subject.pid)])
    for pid in there:
        case.wait_planted(pid, tracer)
    case.child.wait_attached(subject.pid, tracer.child, case.LIMIT)
    subject.seen = 0
    got = outcome(subject, 'gg', [None, lambda: seen.append(peak(tracer))])
    case.equal(got, wanted, 'status and output, attached')
    tracer.wait(0)
    case.equal(calls_begun(tracer.path), (count * calls,) * 2,
               'calls, attached')
    print(f'xtrace has {seen[2]} KiB')
    for most in seen:
        bounded(most, BASE, A_PROCESS, count)


# ---- libraries that come and go


def pairs(count, first, growth, *moved):
    program = prepare('dlopen.c')
    command = [program, count, first, *moved]
    wanted = outcome(case.start(*command), 'gg')
    case.equal(wanted[0], 5, 'status')
    tracer = case.trace(*FILTER, command=command)
    seen = []

    def look():
        subject, = [pid for pid in case.child.children(tracer.pid)
                    if os.path.samefile(f'/proc/{pid}/exe', program)]
        seen.append((field(tracer.pid, 'RssAnon'), slots_of(subject),
                     time.monotonic()))
    got = outcome(tracer.child, 'gg', [look, look])
    case.equal(got, wanted, 'status and output')
    case.equal(calls_begun(tracer.path), (count, count), 'calls')
    (ours, slots, began), (ours_then, slots_then, ended) = seen
    print(f'{count} pairs{"".join(", " + word for word in moved)}: '
          f'xtrace has {ours_then} KiB, {ours_then - ours} more than after '
          f'{first}; slots {slots_then} KiB, {slots_then - slots} more; '
          f'{(ended - began) / (count - first) * 1e6:.0f} us a pair')
    # A sanitizer keeps memory that was freed.
    case.true(case.SANITIZED or ours_then - ours <= growth,
              'the memory of xtrace does not grow')
    case.true(slots_then == slots, 'the memory of the slots does not grow')


# ---- a slow reader


class Reader(threading.Thread):
    """Reads a pipe with a limit of bytes a second, and counts the calls."""

    def __init__(self, path, rate, on_line):
        super().__init__(daemon=True)
        os.mkfifo(path)
        self.path, self.rate, self.on_line = path, rate, on_line

    def run(self):
        began, have, rest = time.monotonic(), 0, b''
        with open(self.path, 'rb', buffering=0) as file:
            while part := file.read(1 << 14):
                have += len(part)
                *rows, rest = (rest + part).split(b'\n')
                for row in rows:
                    self.on_line(row)
                time.sleep(max(0, began + have / self.rate -
                               time.monotonic()))
        self.on_line(rest)


def slow_pipe(count, rate, bound):
    program = prepare('calls.c')
    wanted = outcome(case.start(program, count), 'gg')
    turn, faults, peaks, code = [0], [], [], []

    def check(row):
        if b' '.join(row.split()) == b'f(%d) = %d' % (turn[0], turn[0] + 1):
            turn[0] += 1
        elif row and b'+++' not in row:
            faults.append(row)
    reader = Reader(case.FOLDER / 'trace.pipe', rate, check)
    reader.start()
    tracer = case.Tracer(['-o', 'trace.pipe', *FILTER], [program, count],
                         to_file=False)
    began = time.monotonic()

    def look():
        peaks.append(peak(tracer))
        code.append(field(tracer.pid, 'RssFile'))
    got = outcome(tracer.child, 'gg', [look] * 2)
    took = time.monotonic() - began
    reader.join(case.LIMIT)
    case.equal(got, wanted, 'status and output')
    case.equal((turn[0], faults[:9]), (count, []), 'lines in order')
    more_code = max(0, code[1] - code[0])
    print(f'{count} calls to a slow pipe: {took:.1f} s, xtrace has '
          f'{peaks[0]} KiB, then {peaks[1]}, {more_code} of them files')
    case.true(case.SANITIZED or
              (peaks[1] - peaks[0] - more_code <= bound and more_code <= CODE),
              'the memory of xtrace does not grow')
