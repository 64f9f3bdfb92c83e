#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""If all threads block, and one of them is in a system call that the kernel
can restart, xtrace injects into that thread. So xtrace plants at once, the
program survives a SIGKILL of xtrace, and the injection does not change the
thread's own call. The kernel continues some calls that have a time limit with
restart_syscall, which keeps the time at which the limit ends; it makes other
restartable calls again. If no call can be restarted, xtrace touches no thread,
and injects into the first thread that returns from its call. If a call's own
time limit ends first, the test is repeated with a longer limit.

SLOW: its clients and threads need a machine of their own
TIMEOUT: 1500
"""
import os
import signal

import case
import sleepers
from area import exists

SPANS = (5, 20, 60)
# The number of restart_syscall in each kind of program.
RESTART_SYSCALL = {'wide': '219', 'narrow': '0', 'time64': '0'}
GONE_ON_WITH = ['nanosleep', 'clock_nanosleep', 'poll', 'poll for good',
                'poll of a pidfd', 'futex', 'futex bitset',
                'pthread_cond_timedwait']
MADE_AGAIN = ['clock_nanosleep until', 'epoll_wait for good',
              'futex for good', 'read of a pipe', 'read of a terminal',
              'read of a socket', 'recv', 'recvfrom', 'accept', 'select',
              'pselect', 'ppoll', 'pause', 'waitpid', 'waitid']
LEFT_ALONE = ['epoll_wait', 'recv, SO_RCVTIMEO', 'read, SO_RCVTIMEO',
              'recvmsg, SO_RCVTIMEO', 'recv, MSG_WAITALL', 'recvmmsg',
              'accept, SO_RCVTIMEO', 'ppoll read-only', 'sigtimedwait',
              'semtimedop', 'vmsplice']


class Host:
    def __init__(self, program, kind, name, span):
        self.name = name
        self.kind = kind
        folder = case.FOLDER / f"{kind}-{name.replace(' ', '-')}.{span}"
        folder.mkdir()
        self.subject = case.start(program, folder, span, name)
        self.pid = self.subject.pid
        self.subject.wait_for('ready')

    def state(self):
        """The thread's state, or None if its call has ended."""
        states = sleepers.asleep(self.pid,
                                 lambda count: count == 1 or self.ended())
        return states.popitem()[1] if states else None

    def ended(self):
        self.subject._pump(0)
        return not self.subject.out.endswith('ready\n')

    def attach(self):
        self.tracer = case.Tracer(['-x', 'f', '-p', str(self.pid)])
        case.wait_planted(self.pid, self.tracer)

    def inject(self):
        self.attach()
        case.until(lambda: exists(self.pid) or self.ended(),
                   f'{self.name}: xtrace injects into it')
        self.tracer.send(signal.SIGKILL)
        self.tracer.child.wait()
        self.attach()

    def perform(self):
        """False if the call's time limit ended before the test was done."""
        was = self.state()
        if self.name in LEFT_ALONE:
            self.attach()
        else:
            self.inject()
        now = self.state()
        if not was or not now:
            return False
        if self.name in LEFT_ALONE:
            case.equal(now, was, self.name)
            case.true(not exists(self.pid), f'{self.name}: nothing is mapped')
            return True
        case.equal(sleepers.place(now), sleepers.place(was), self.name)
        case.equal(number(now), RESTART_SYSCALL[self.kind] if self.name in GONE_ON_WITH
                   else number(was), f'{self.kind} {self.name}: what it does')
        return True

    def check(self):
        case.equal(self.subject.wait(), 0, f'{self.name}: status')
        self.tracer.wait(0)
        row = self.subject.out.splitlines()[-1]
        if ' right in time:' not in row and ': not here' not in row:
            case.fail(row)
        case.same(self.tracer.calls(), ['f(0, %any) = 0'],
                  f'{self.name}: trace')


def number(state):
    return state[0].split()[0]


def hosts_of(program, kind):
    hosts = []
    # Without an injection xtrace plants nothing in a 32-bit program.
    for name in GONE_ON_WITH + MADE_AGAIN + (
            LEFT_ALONE if kind == 'wide' else []):
        for span in SPANS:
            host = Host(program, kind, name, span)
            hosts.append(host)
            enough = host.perform()
            host.subject.say('go')
            if enough:
                break
        else:
            case.fail(f'{name}: {span} s are not enough')
    for host in hosts:
        host.check()
    print(f'{kind}: {len(hosts)} hosts')


def test():
    for kind in RESTART_SYSCALL:
        if kind == 'wide' or os.path.exists('/lib32/libc.so.6'):
            hosts_of(case.build('calls.c', case.FOLDER / kind, kind), kind)


case.main(test)
