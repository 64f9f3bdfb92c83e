#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""A program that is born with SIGTRAP blocked and ignored keeps both: if
xtrace starts it, attaches to it, or traces it while it execs. When xtrace has
left, /proc says the same as untraced. The program also keeps the other ignored
signals. Two of them are reserved for the C library: it installs a handler for
one when xtrace starts its threads, and none of its functions can undo that."""
import ctypes
import signal

import case

NAMES = ('SigBlk', 'SigIgn', 'SigCgt')
EXEC = 'read line; exec cat'
WAYS = {'sh': ['/bin/sh', '-c', EXEC], 'cat': ['/bin/cat']}
SYS_RT_SIGACTION = 13
OF_THE_LIBRARY = (32, 33)


def ignore(number):
    action = (ctypes.c_ulong * 4)(signal.SIG_IGN)
    ctypes.CDLL(None).syscall(SYS_RT_SIGACTION, number, action, None, 8)


def deaf():
    for number in (signal.SIGTRAP, signal.SIGUSR2, signal.SIGRTMAX,
                   *OF_THE_LIBRARY):
        ignore(number)
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGTRAP])


def signals(pid):
    return {name: case.child.status_field(f'/proc/{pid}/status', name)
            for name in NAMES}


def runs(pid, name):
    return case.child.status_field(f'/proc/{pid}/status', 'Name') == name


def waits(pid):
    """True if the process reads its input: it has then made its calls. It may
    also sleep because it reads a library from a slow disk."""
    try:
        with open(f'/proc/{pid}/syscall') as file:
            return file.read().startswith('0 0x0 ')
    except OSError:
        return False


def become(child, pid, name):
    """Waits until the last program of the chain reads its input."""
    case.until(lambda: waits(pid), 'it waits for a line')
    if name == 'sh':
        child.say('go')
    case.until(lambda: runs(pid, 'cat') and waits(pid), 'cat waits')


def alone(name):
    subject = case.start(*WAYS[name], preexec=deaf)
    become(subject, subject.pid, name)
    found = signals(subject.pid)
    case.finish(subject)
    return found


def check(pid, name, wanted):
    case.equal(case.child.status_field(f'/proc/{pid}/status', 'TracerPid'),
               '0', 'TracerPid')
    case.equal(signals(pid), wanted, name)


def started(name, wanted):
    tracer = case.trace('-f', '-x', 'malloc+strlen+sigaction',
                        command=WAYS[name], preexec=deaf)
    pid = case.until(lambda: children(tracer.pid, name), 'it runs')[0]
    become(tracer.child, pid, name)
    blocked = signals(pid)['SigBlk']
    case.equal(blocked, wanted['SigBlk'], f'{name}, while it is traced')
    tracer.send(signal.SIGTERM)
    case.until(lambda: case.child.status_field(f'/proc/{pid}/status',
                                               'TracerPid') == '0',
               'xtrace has left')
    check(pid, f'{name}, started', wanted)
    tracer.wait()


def children(pid, name):
    """The children that have this name, of all threads of a process. The
    watcher of xtrace has another name."""
    return [one for one in case.child.children(pid) if runs(one, name)]


def attached(name, wanted):
    subject = case.start(*WAYS[name], preexec=deaf)
    case.until(lambda: waits(subject.pid), 'it waits for a line')
    tracer = case.attach(subject, '-f', '-x', 'malloc+strlen+sigaction')
    become(subject, subject.pid, name)
    tracer.leave()
    check(subject.pid, f'{name}, attached to', wanted)
    case.finish(subject)


def test():
    for name in WAYS:
        wanted = alone(name)
        bit = 1 << (signal.SIGTRAP - 1)
        case.true(int(wanted['SigBlk'], 16) & bit and
                  int(wanted['SigIgn'], 16) & bit, f'{name}: {wanted}')
        for number in OF_THE_LIBRARY:
            case.true(int(wanted['SigIgn'], 16) & 1 << (number - 1),
                      f'{name}: {number} is ignored: {wanted}')
        started(name, wanted)
        attached(name, wanted)


case.main(test)
