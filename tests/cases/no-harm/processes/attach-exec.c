/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program asks to trace others, which xtrace traces and of which a thread
 * executes a program at this moment. The kernel ends the other threads first,
 * and waits until xtrace has taken their ends. Each process ends as it should,
 * with no trap in its new memory, and the program is not kept waiting.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * MESSAGES: any
 * CONTAINS:
 *   %num f(1) = 1
 *   %num +++ exited (status 0) +++
 */
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>

#define ROUNDS 60
#define THREADS 4

static char *program;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void *
calls(void *unused)
{
	for (;;)
		f(3);
	return unused;
}

static void *
executes(void *unused)
{
	f(2);
	execl(program, program, "again", (char *)0);
	_exit(9);
	return unused;
}

static int
child(void)
{
	pthread_t thread;

	for (int i = 0; i < THREADS; i++)
		pthread_create(&thread, 0, calls, 0);
	pthread_create(&thread, 0, executes, 0);
	for (;;)
		pause();
	return 8;
}

static int
one(int delay)
{
	int status, traced;
	pid_t pid = fork();

	if (!pid)
		_exit(child());
	usleep((useconds_t)delay);
	traced = ptrace(PTRACE_ATTACH, pid, 0, 0) == 0;
	if (waitpid(pid, &status, __WALL) != pid)
		return 2;
	if (!traced)
		return status;
	/* The exec may end the thread that was attached to, or its own stop may
	 * come before that of the request. */
	while (WIFSTOPPED(status)) {
		if (WSTOPSIG(status) == SIGSTOP)
			ptrace(PTRACE_DETACH, pid, 0, 0);
		else
			ptrace(PTRACE_CONT, pid, 0, 0);
		if (waitpid(pid, &status, __WALL) != pid)
			return 3;
	}
	return status;
}

int
main(int argc, char **argv)
{
	if (argc > 1) {
		for (int i = 0; i < 1000; i++)
			f(5);
		return f(0);
	}
	program = argv[0];
	for (int i = 0; i < ROUNDS; i++) {
		int r = one(i * 137 % 8000);

		if (r) {
			printf("round %d: %#x\n", i, r);
			return 1;
		}
	}
	return f(1) - 1;
}
