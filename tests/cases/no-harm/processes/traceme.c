/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program asks its parent to trace it, to find out whether it has a tracer.
 * The call fails as under any tracer, xtrace says so, and the trace continues,
 * also after a signal. The same program is also run by a shell. A child that
 * asks before it execs has a debugger as its parent, so xtrace leaves it.
 *
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t asks
 * UNTRACED: no
 * STATUS: 3
 * SAYS:
 *   xtrace: process %num (t) asks its parent to trace it: the call fails, because xtrace traces the process
 * EXPECT:
 *   f(1) = 1
 *   f(-1) = -1
 *   f(1) = 1
 *   --- SIGUSR1 (User defined signal 1) ---
 *   f(2) = 2
 *   +++ exited (status 3) +++
 *
 * RUN: xtrace -f -b --pid=never -F p.conf -x f %t shell
 * UNTRACED: no
 * SAYS:
 *   xtrace: process %num (t) asks its parent to trace it: the call fails, because xtrace traces the process
 * COUNT: 2 f(1) = 1
 * COUNT: 1 f(2) = 2
 * COUNT: 1 +++ exited (status 3) +++
 * COUNT: 1 +++ exited (status 0) +++
 *
 * RUN: xtrace -f -b --pid=never -F p.conf -x f %t debugger
 * SAYS:
 *   xtrace: process %num (t) asks its parent to trace it: xtrace does not trace it any more
 * EXPECT:
 *   f(10) = 10
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void
ignore(int signal)
{
	(void)signal;
}

static int
asks(void)
{
	signal(SIGUSR1, ignore);
	f(1);
	f((int)ptrace(PTRACE_TRACEME, 0, 0, 0));
	/* xtrace prints its message only once for a process. */
	f(-(int)ptrace(PTRACE_TRACEME, 0, 0, 0));
	raise(SIGUSR1);
	f(2);
	return 3;
}

static int
debugger(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
			_exit(4);
		raise(SIGUSR2);
		_exit(f(5));
	}
	if (waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status) ||
	    ptrace(PTRACE_CONT, pid, 0, 0) < 0 ||
	    waitpid(pid, &status, 0) != pid || status != 5 << 8)
		return 1;
	return f(10) - 10;
}

int
main(int argc, char **argv)
{
	int status;

	if (argc < 2 || !strcmp(argv[1], "debugger"))
		return debugger();
	if (!strcmp(argv[1], "asks"))
		return asks();
	if (!fork()) {
		execl(argv[0], argv[0], "asks", (char *)0);
		_exit(9);
	}
	wait(&status);
	return status != 3 << 8;
}
