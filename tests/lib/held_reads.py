# SPDX-License-Identifier: GPL-2.0-or-later
"""What xtrace reads while threads of its subject are held: strace tells when
xtrace has seen a stop, when it resumes the thread, and what it reads between.
"""
import re

import case


def watch(tracer, log):
    """Attaches strace to all threads of xtrace."""
    watcher = case.start('strace', '-f', '-y', '-o', log, '-e',
                         'trace=waitid,ptrace,openat,pread64,read',
                         '-p', tracer.pid)
    watcher.wait_for('attached', 'err')
    case.until(lambda: all(case.child.status_field(
        f'/proc/{tracer.pid}/task/{tid}/status', 'TracerPid') ==
        str(watcher.pid) for tid in case.child.threads(tracer.pid)),
        'strace has all threads of xtrace')
    return watcher


def reads(log):
    """Returns [(whether the subject was held, the line of strace), ...] for
    each use of a debug file."""
    held, found = set(), []
    for line in log.read_text().splitlines():
        stop = re.search(r'waitid.* si_code=CLD_TRAPPED, si_pid=(\d+)', line)
        run = re.search(r'ptrace\(PTRACE_(?:CONT|LISTEN|DETACH|SYSCALL), '
                        r'(\d+)', line)
        if stop:
            held.add(stop.group(1))
        elif run:
            held.discard(run.group(1))
        elif re.search(r'(openat|read|pread64)\(.*\.debug[">].* = \d', line):
            found.append((bool(held), line))
    return found
