#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A command that xtrace starts inherits the same as without xtrace: blocked
and ignored signals (except SIGTRAP), open files, limits, the session, nice
value and CPUs, the current folder and the environment."""
import json
import os
import resource
import signal

import case

TELL = '''
import json, os, resource, signal
status = dict(row.rstrip().split(":", 1) for row in open("/proc/self/status"))
files = sorted(int(name) for name in os.listdir("/proc/self/fd"))
with open("told", "w") as file:
    json.dump({
        "blocked": status["SigBlk"], "ignored": status["SigIgn"],
        "files": [fd for fd in files if os.path.exists(f"/proc/self/fd/{fd}")],
        "limits": [resource.getrlimit(kind) for kind in range(16)],
        "session": os.getsid(0), "group": os.getpgid(0), "nice": os.nice(0),
        "cpus": sorted(os.sched_getaffinity(0)), "folder": os.getcwd(),
        "environment": dict(os.environ), "umask": os.umask(0)}, file)
'''


# A sanitizer installs handlers, and sets a limit for core files.
SANITIZER = {'ASAN_OPTIONS': ':'.join(
    [case.ASAN['ASAN_OPTIONS'], 'disable_coredump=0'] +
    [f'handle_{name}=0' for name in ('segv', 'sigbus', 'sigfpe', 'sigill')])}


def prepare():
    """Runs in the child before it execs xtrace or the command."""
    signals = range(1, signal.NSIG)
    chosen = {prepare.ignored} if prepare.ignored else set()
    for number in signals:
        if number in (signal.SIGKILL, signal.SIGSTOP, signal.SIGTRAP,
                      32, 33):
            continue
        ignored = number in chosen or prepare.ignored == 0
        signal.signal(number, signal.SIG_IGN if ignored else signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, prepare.blocked)
    os.nice(3)
    os.umask(0o27)
    resource.setrlimit(resource.RLIMIT_NOFILE, (777, 777))
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})


def told(run):
    pid = run.pid
    case.equal(run.wait(), 0, 'status')
    found = json.loads((case.FOLDER / 'told').read_text())
    for name in ('session', 'group'):
        case.equal(found.pop(name), pid, name)
    return found


def test():
    everything = set(signal.valid_signals()) - {32, 33}
    hard = {signal.SIGSEGV, signal.SIGBUS, signal.SIGILL, signal.SIGFPE,
            signal.SIGABRT, signal.SIGTRAP}
    for ignored, blocked in ((None, set()), (0, set()),
                             (signal.SIGPIPE, {signal.SIGUSR1}),
                             (signal.SIGCHLD, everything - hard),
                             (signal.SIGTTOU, {signal.SIGINT, signal.SIGTRAP})):
        prepare.ignored, prepare.blocked = ignored, blocked
        command = (case.PYTHON, '-c', TELL)
        wanted = told(case.start(*command, env=SANITIZER, preexec=prepare))
        got = told(case.start(case.XTRACE, '-o', case.FOLDER / 'trace', '-x',
                              'getpid', '--', *command, env=SANITIZER,
                              preexec=prepare))
        case.equal(got, wanted, f'with {ignored} ignored, {blocked} blocked')


case.main(test)
