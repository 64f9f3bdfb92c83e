#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Tells where the processes of a test are that has run into its time limit.

As a program: hung.py GROUP, for a test of Check. It tells of the processes of
this process group, and of all processes with the same mark in their environment
(child.py), before the group is killed (tests/unit/live/hung.c).

The frames of a traced process are not told, because it has a tracer already.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys

SHOWS = 'XTRACE_HUNG'  # names this program in the environment of unit tests
FRAMES = 12  # of each thread
THREADS = 24  # of each process
DEBUGGED = 3  # processes at most whose frames are told, because gdb is slow
LIMIT = 20  # seconds for each gdb; it may wait for a process in state D
FIELDS = ('Name', 'State', 'TracerPid')


def read(path):
    """The text of a file of /proc; '?' if it cannot be read."""
    try:
        return pathlib.Path(path).read_text(errors='replace').strip()
    except OSError:
        return '?'


def kernel_frames(base):
    """The functions of the kernel in which a thread is; only root sees them."""
    return re.findall(r'^\[<\S+>\] (\w+)', read(f'{base}/stack'), re.M)


def tell_thread(base):
    """Two lines of a thread; base is its folder in /proc."""
    rows = dict(row.partition(':')[::2]
                for row in read(f'{base}/status').splitlines())
    name, state, tracer = (rows.get(field, '?').strip() for field in FIELDS)
    yield (f'{pathlib.Path(base).name} {name}: {state}, tracer {tracer}, '
           f'wchan {read(f"{base}/wchan")}, syscall {read(f"{base}/syscall")}')
    frames = kernel_frames(base)
    if frames:
        yield '  kernel: ' + ' < '.join(frames)


def threads(pid):
    """The folders of the threads in /proc."""
    try:
        tids = sorted(map(int, os.listdir(f'/proc/{pid}/task')))
    except OSError:
        return []
    return [f'/proc/{pid}/task/{tid}' for tid in tids]


def is_traced(pid):
    return any(not re.search(r'^TracerPid:\s*0$', read(f'{base}/status'), re.M)
               for base in threads(pid))


def native_frames(pid):
    """The frames of the threads, as gdb finds them. Without gdb there are
    none."""
    gdb = shutil.which('gdb')
    if not gdb or is_traced(pid):
        return []
    try:
        done = subprocess.run(
            [gdb, '-nx', '-batch', '-iex', 'set debuginfod enabled off',
             '-p', str(pid), '-ex', f'thread apply all backtrace {FRAMES}'],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL, timeout=LIMIT, errors='replace')
    except (OSError, subprocess.TimeoutExpired):
        return []
    return ['  ' + line for line in done.stdout.splitlines()
            if re.match(r'#\d|Thread \d', line)]


def tell(pids):
    """Lines about all threads of these processes."""
    lines, debugged = [], 0
    for pid in sorted(pids):
        bases = threads(pid)
        if not bases:
            continue
        command = read(f'/proc/{pid}/cmdline').replace('\0', ' ').strip()
        lines.append(f'process {pid}, {len(bases)} threads: {command:.100}')
        for base in bases[:THREADS]:
            lines += tell_thread(base)
        if debugged < DEBUGGED:
            found = native_frames(pid)[:THREADS * FRAMES]
            debugged += bool(found)
            lines += found
    return lines


def members(group):
    """The processes of a process group."""
    found = set()
    for name in os.listdir('/proc'):
        try:
            if name.isdigit() and os.getpgid(int(name)) == group:
                found.add(int(name))
        except OSError:
            continue
    return found


def main():
    sys.dont_write_bytecode = True
    import child
    group = int(sys.argv[1])
    mark = re.search(rf'(?:^|\0){child.MARK}=([^\0]*)',
                     read(f'/proc/{group}/environ'))
    marked = {pid for pid, _ in child.strays(mark[1])} if mark else set()
    pids = (members(group) | marked) - {os.getpid(), os.getppid()}
    print(f'at the time limit of the test in process {group}:')
    print('\n'.join(tell(pids)), flush=True)


if __name__ == '__main__':
    main()
