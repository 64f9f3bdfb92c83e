/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads and processes that end at any moment, also within traced calls: by
 * return, exit, exit_group, SIGKILL from another process, a fault.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 * TIMEOUT: 60
 *
 * RUN: xtrace -f -F p.conf -x f+g %t
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 *
 * RUN: xtrace -F p.conf -x f+g %t
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 *
 * RUN: xtrace -f -F p.conf -x f+g+exit+_exit+pthread_exit+raise -p %p
 * ATTACH:
 * CONTAINS:
 *   %any+++ exited (status 0) +++
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>

#define ROUNDS 60

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void *
calls(void *count)
{
	long most = (long)count;

	for (long i = 0; i != most; i++)
		f((int)i);
	return 0;
}

static void *
ends_itself(void *unused)
{
	f(1);
	pthread_exit(unused);
}

NOINLINE void
g(int how)
{
	pthread_t threads[4];

	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, calls, (void *)-1L);
	pthread_create(&threads[3], 0, ends_itself, 0);
	calls((void *)(long)(how % 7));
	switch (how % 5) {
	case 0:
		exit(3);
	case 1:
		_exit(3);
	case 2:
		pthread_kill(threads[0], SIGTERM);
		calls((void *)-1L);
		break;
	case 3:
		*(volatile int *)16 = 1;
		break;
	default: /* the process runs until its parent kills it */
		calls((void *)-1L);
	}
}

int
main(void)
{
	const int wanted[] = { 3 << 8, 3 << 8, SIGTERM, SIGSEGV, SIGKILL };
	int status;

	ready();
	for (int round = 0; round < ROUNDS; round++) {
		pthread_t short_lived;
		pid_t pid = fork();

		if (!pid) {
			g(round);
			_exit(1);
		}
		pthread_create(&short_lived, 0, calls, (void *)5L);
		if (round % 5 == 4) {
			for (int i = 0; i < round; i++)
				f(i);
			kill(pid, SIGKILL);
		}
		if (waitpid(pid, &status, 0) != pid ||
		    (status & ~0x80) != wanted[round % 5])
			return 1 + round;
		pthread_join(short_lived, 0);
	}
	return 0;
}
