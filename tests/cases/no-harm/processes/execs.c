/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Programs that exec while all of their threads make calls: from the leader,
 * from another thread, from two threads at once; many times in a row, and in
 * forked children.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 * FILE: p.conf: int last(int);
 * TIMEOUT: 60
 *
 * RUN: xtrace --pid=never -F p.conf -x f+last %t 1
 * COUNT: 1 last(7) = 7
 * COUNT: 30 --- Called exec() ---
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f+last %t 1 fork
 * COUNT: 2 last(7%any
 * COUNT: 60 --- Called exec() ---
 *
 * RUN: xtrace --pid=never -F p.conf -x f+last %t 1 fork
 * COUNT: 1 last(7%any
 * COUNT: 30 --- Called exec() ---
 *
 * RUN: xtrace -f --pid=never -F p.conf -x f+last -p %p
 * ATTACH:
 * COUNT: 1 last(7%any
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

#define GENERATIONS 30

static char *self;
static int generation;

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

NOINLINE int
last(int x)
{
	OPAQUE(x);
	return x;
}

static void *
calls(void *unused)
{
	for (int i = 0;; i++)
		f(i);
	return unused;
}

static void *
go(void *unused)
{
	char next[16];

	snprintf(next, sizeof(next), "%d", generation + 1);
	execl(self, self, next, (char *)0);
	_exit(9);
	return unused;
}

int
main(int argc, char **argv)
{
	pthread_t threads[4];
	int status;
	pid_t pid;

	self = argv[0];
	generation = argc > 1 ? atoi(argv[1]) : 0;
	if (argc < 2)
		ready();
	if (argc > 2) {
		pid = fork();
		if (pid) {
			/*
			 * The child ends first, so the order of the two ends is
			 * fixed.
			 */
			waitpid(pid, &status, 0);
			if (!WIFEXITED(status) || WEXITSTATUS(status))
				return 8;
		}
	}
	if (generation > GENERATIONS)
		return last(7) - 7;
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], 0, calls, 0);
	for (int i = 0; i < 20; i++)
		f(i);
	if (generation % 3 == 0)
		go(0);
	pthread_create(&threads[3], 0, go, 0);
	if (generation % 3 == 1)
		pthread_join(threads[3], 0);
	go(0);
	return 7;
}
