#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""xtrace attaches to a program with many threads while one of them execs. The
exec waits for the other threads to end, and the threads that are seized
already wait for xtrace. xtrace seizes the next thread, and for that waits for
the exec (kernel/ptrace.c, cred_guard_mutex). One of them must give way. The
case makes xtrace's ptrace() slow, so that this happens nearly each time. While
xtrace leaves, the exec also waits for threads of which no event has told
xtrace. If the exec ends a thread that has just made another one, xtrace cannot
read the registers of its clone(2) any more; this, too, is made likely.

TIMEOUT: 240
"""
import os
import subprocess

import case

ROUNDS = 12
LEAVES = 60
BIRTHS = 12
SLOW = r'''
#define _GNU_SOURCE
#include <stdarg.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <unistd.h>

long
ptrace(enum __ptrace_request request, ...)
{
	va_list words;
	long pid, address, data;

	va_start(words, request);
	pid = va_arg(words, long);
	address = va_arg(words, long);
	data = va_arg(words, long);
	va_end(words);
	if (request == PTRACE_SEIZE)
		usleep(SEIZE_US);
	if (request == PTRACE_GETEVENTMSG) {
		long r = syscall(SYS_ptrace, request, pid, address, data);

		usleep(EVENT_US);
		return r;
	}
	return syscall(SYS_ptrace, request, pid, address, data);
}
'''


def slow(seize, event):
    """Returns the environment of an xtrace that waits for so many microseconds
    before it seizes a thread, and when it has read the message of an event."""
    (case.FOLDER / 'slow.c').write_text(SLOW)
    library = case.FOLDER / f'slow-{seize}-{event}.so'
    subprocess.run(['cc', '-shared', '-fPIC', f'-DSEIZE_US={seize}',
                    f'-DEVENT_US={event}', '-o', library,
                    case.FOLDER / 'slow.c'], check=True)
    return {'LD_PRELOAD': str(library)}


def test():
    env = slow(300, 0)
    subject = case.start(case.build('crowded-exec.c'))
    subject.wait_for('ready')
    for number in range(ROUNDS):
        tracer = case.Tracer(['-x', 'f', '--duration',
                              f'{number % 8 + 1}ms', '-p', str(subject.pid)],
                             env=env)
        tracer.wait()
        case.true(subject.alive(), f'alive after attach {number}')
    for number in range(LEAVES):
        tracer = case.Tracer(['-x', 'f', '-c', '--duration',
                              f'{number % 30 + 1}ms', '-p', str(subject.pid)])
        tracer.wait()
        case.equal(tracer.says(), [], f'what xtrace says at leave {number}')
    env = slow(0, 300)
    for number in range(BIRTHS):
        tracer = case.Tracer(['-x', 'f', '-c', '--duration', '60ms', '-p',
                              str(subject.pid)], env=env)
        tracer.wait()
        case.equal(tracer.says(), [], f'what xtrace says at birth {number}')
    subject.say('stop')
    case.finish(subject, 3)


case.main(test)
