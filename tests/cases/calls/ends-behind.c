/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread ends within a traced call whose line was interrupted by a line of
 * another thread. A second line says that the call does not return.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: void waits(int); int fine(int);
 *
 * RUN: xtrace -b --pid=never -F p.conf -x waits+fine %t
 * EXPECT:
 *   waits(1 <unfinished ...>
 *   fine(2) = 2
 *   <... waits resumed> <no return ...>
 *   fine(3) = 3
 *   +++ exited (status 0) +++
 *
 * RUN: xtrace -b --pid=never -F p.conf -x waits+fine -p %p
 * ATTACH:
 * EXPECT:
 *   waits(1 <unfinished ...>
 *   fine(2) = 2
 *   <... waits resumed> <no return ...>
 *   fine(3) = 3
 *   +++ exited (status 0) +++
 */
#include "subject.h"
#include <pthread.h>
#include <sys/stat.h>

static pthread_barrier_t there;

NOINLINE void
waits(int x)
{
	pthread_barrier_wait(&there);
	for (;;)
		pause();
	OPAQUE(x);
}

NOINLINE int
fine(int x)
{
	OPAQUE(x);
	return x;
}

static void *
run(void *unused)
{
	waits(1);
	return unused;
}

/* A thread exists until its tracer has reaped its end. */
static int
threads(void)
{
	struct stat tasks;

	return stat("/proc/self/task", &tasks) < 0 ? -1
						   : (int)tasks.st_nlink - 2;
}

int
main(void)
{
	pthread_t thread;

	ready();
	pthread_barrier_init(&there, 0, 2);
	pthread_create(&thread, 0, run, 0);
	pthread_barrier_wait(&there);
	fine(2);
	pthread_cancel(thread);
	pthread_join(thread, 0);
	while (threads() != 1)
		usleep(1000);
	return fine(3) - 3;
}
