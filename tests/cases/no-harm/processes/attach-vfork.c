/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program asks to trace another one, which xtrace traces and which cannot be
 * stopped, because it waits for its vfork child. xtrace gives up in time, the
 * request fails as it does for any process that has a tracer, and both run on.
 *
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * SAYS:
 *   xtrace: process %num (t) is to be traced by process %num (t): xtrace does not trace it any more
 *   xtrace: thread %num of process %num cannot be stopped (%any): xtrace stays its tracer
 * CONTAINS:
 *   %num f(2) = 2
 *   %num f(1) = 1
 *   %num +++ exited (status 0) +++
 */
#include "subject.h"
#include <sys/ptrace.h>
#include <sys/wait.h>

static int ends[2], begun[2];

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

/* Waits in vfork() until a byte comes. */
static int
waits(void)
{
	static char byte;

	if (!vfork()) {
		if (write(begun[1], "", 1) != 1 || read(ends[0], &byte, 1) < 0)
			_exit(1);
		_exit(0);
	}
	return 0;
}

static char
state_of(pid_t pid)
{
	char path[64], state = 0;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (!file || fscanf(file, "%*d (t) %c", &state) != 1)
		state = 0;
	if (file)
		fclose(file);
	return state;
}

int
main(void)
{
	int status;
	char byte;
	pid_t pid;
	long r;

	if (pipe(ends) || pipe(begun))
		return 1;
	pid = fork();
	if (!pid)
		_exit(waits());
	/* Before vfork(), the process may have this state for a moment, too. */
	if (read(begun[0], &byte, 1) != 1)
		return 5;
	while (state_of(pid) != 'D')
		usleep(1000);
	f(2);
	r = ptrace(PTRACE_ATTACH, pid, 0, 0);
	if (write(ends[1], "", 1) != 1)
		return 2;
	if (r == 0 && (waitpid(pid, &status, 0) != pid ||
		       ptrace(PTRACE_DETACH, pid, 0, 0)))
		return 3;
	if (waitpid(pid, &status, 0) != pid || status)
		return 4;
	return f(1) - 1;
}
