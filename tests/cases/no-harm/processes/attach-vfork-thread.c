/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program asks to trace the leader of a process that xtrace traces. Another
 * thread of it cannot be stopped, because it waits for its vfork child. The
 * leader is let go. When the wait is over, no trap is planted that the leader
 * would hit, for the program would see its SIGTRAP. The same if the leader
 * itself asks its parent to trace it.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * SAYS:
 *   xtrace: process %num (t) is to be traced by process %num (t): xtrace does not trace it any more
 *   xtrace: thread %num of process %num cannot be stopped (%any): xtrace stays its tracer, but traces no call of the process any more
 * CONTAINS:
 *   %num f(1) = 1
 *   %num +++ exited (status 0) +++
 *
 * RUN: xtrace -f -F p.conf -x f %t asks
 * SAYS:
 *   xtrace: process %num (t) asks its parent to trace it: xtrace does not trace it any more
 *   xtrace: thread %num of process %num cannot be stopped (%any): xtrace stays its tracer, but traces no call of the process any more
 * CONTAINS:
 *   %num f(1) = 1
 *   %num +++ exited (status 0) +++
 */
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>

static int ends[2], tids[2];
static _Atomic int done;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

/* Waits in vfork() until a byte comes. */
static void *
waits(void *unused)
{
	static char byte;
	int tid = (int)syscall(SYS_gettid);

	/* Before vfork(), the thread may wait for something else. */
	if (!vfork()) {
		if (write(tids[1], &tid, sizeof(tid)) != sizeof(tid) ||
		    read(ends[0], &byte, 1) < 0)
			_exit(1);
		_exit(0);
	}
	done = 1;
	for (;;)
		pause();
	return unused;
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

static void
wait_for_vfork(void)
{
	int tid;

	if (read(tids[0], &tid, sizeof(tid)) != sizeof(tid))
		_exit(2);
	while (state_of(tid) != 'D')
		usleep(1000);
}

static int
leads(int asks)
{
	pthread_t thread;

	pthread_create(&thread, 0, waits, 0);
	if (asks) {
		wait_for_vfork();
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) ||
		    write(ends[1], "", 1) != 1)
			return 3;
	}
	while (!done)
		usleep(1000);
	for (int i = 0; i < 1000; i++)
		f(2);
	return 0;
}

int
main(int argc, char **argv)
{
	int status, asks = argc > 1 && !strcmp(argv[1], "asks");
	pid_t pid;

	if (pipe(ends) || pipe(tids))
		return 1;
	pid = fork();
	if (!pid)
		_exit(leads(asks));
	if (!asks) {
		wait_for_vfork();
		if (ptrace(PTRACE_ATTACH, pid, 0, 0) ||
		    waitpid(pid, &status, __WALL) != pid ||
		    !WIFSTOPPED(status) || status >> 8 != SIGSTOP ||
		    ptrace(PTRACE_CONT, pid, 0, 0))
			return 3;
		if (write(ends[1], "", 1) != 1)
			return 4;
	}
	/* The end of the vfork child is a signal, which stops the leader, too. */
	do {
		if (waitpid(pid, &status, __WALL) != pid)
			return 5;
	} while (WIFSTOPPED(status) && status >> 8 == SIGCHLD &&
		 ptrace(PTRACE_CONT, pid, 0, SIGCHLD) == 0);
	if (status) {
		printf("%#x\n", status);
		kill(pid, SIGKILL);
		return 6;
	}
	return f(1) - 1;
}
