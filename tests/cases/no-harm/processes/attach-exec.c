/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program asks to trace others, which xtrace traces and of which a thread
 * executes a program at this moment. The kernel ends the other threads first,
 * and waits until xtrace has taken their ends. Each process ends as it should,
 * with no trap in its new memory. The program sees the stops that it may see
 * without xtrace, and no others. It is not kept waiting for the bound of the
 * wait (other_tracer.c).
 *
 * LDFLAGS: -pthread
 * TIMEOUT: 180
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -f -F p.conf -x f %t
 * MESSAGES: any
 * CONTAINS:
 *   %num f(1) = 1
 *   %num +++ exited (status 0) +++
 */
#include "subject.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <time.h>

#define ROUNDS 60
#define THREADS 4
/* The kernel copies the arguments before it ends the other threads. */
#define ARGUMENTS 16
#define LENGTH 100000
/* A busy machine alone makes a request last for so long now and then. */
#define HELD_NS 900000000L
#define HELD_MOST 3

static char *program, argument[LENGTH + 1];
static _Atomic int *executing;

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
	static char *arguments[ARGUMENTS + 2];

	arguments[0] = program;
	for (int i = 1; i <= ARGUMENTS; i++)
		arguments[i] = argument;
	f(2);
	*executing = 1;
	execv(program, arguments);
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

/* Is the process's stop the SIGTRAP that the kernel sends to the thread that
 * executes a program, and not that of a trap? */
static int
is_of_exec(pid_t pid, int status)
{
	siginfo_t info;

	return status >> 8 == SIGTRAP &&
	       ptrace(PTRACE_GETSIGINFO, pid, 0, &info) == 0 &&
	       info.si_code == SI_USER && info.si_pid == pid;
}

/*
 * The leader was attached to. If the exec ends the leader, its stop is not
 * seen, or it cannot be detached. If the request came between the exec's end of
 * the threads and the exec's own signal, this signal comes first.
 */
static int
follow(pid_t pid, int status)
{
	if (WIFSTOPPED(status) && status >> 8 == SIGTRAP) {
		if (!is_of_exec(pid, status))
			return 3;
		if (ptrace(PTRACE_CONT, pid, 0, 0) ||
		    waitpid(pid, &status, __WALL) != pid)
			return 4;
		if (!WIFSTOPPED(status))
			return 5;
	}
	if (!WIFSTOPPED(status))
		return status;
	if (status >> 8 != SIGSTOP)
		return 6;
	if (ptrace(PTRACE_DETACH, pid, 0, 0) && errno != ESRCH)
		return 7;
	return waitpid(pid, &status, __WALL) == pid ? status : 8;
}

static long
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000L + time.tv_nsec;
}

static int
one(int delay, int *held)
{
	int status, traced;
	pid_t pid;
	long start;

	*executing = 0;
	pid = fork();
	if (!pid)
		_exit(child());
	while (!*executing)
		usleep(10);
	usleep((useconds_t)delay);
	start = now();
	traced = ptrace(PTRACE_ATTACH, pid, 0, 0) == 0;
	/* The leader may have been ended by the exec. */
	if (!traced && errno != EPERM)
		return 1;
	*held += now() - start > HELD_NS;
	if (waitpid(pid, &status, __WALL) != pid)
		return 2;
	return traced ? follow(pid, status) : status;
}

int
main(int argc, char **argv)
{
	int held = 0;

	if (argc > 1) {
		for (int i = 0; i < 1000; i++)
			f(5);
		return f(0);
	}
	program = argv[0];
	memset(argument, 'x', LENGTH);
	executing = mmap(0, sizeof(*executing), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	for (int i = 0; i < ROUNDS; i++) {
		int r = one(i * 137 % 1500, &held);

		if (r) {
			printf("round %d: %#x\n", i, r);
			return 1;
		}
	}
	if (held > HELD_MOST) {
		printf("held in %d rounds\n", held);
		return 1;
	}
	return f(1) - 1;
}
