/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that end within a traced function, by pthread_exit or by being
 * cancelled. Their calls are shown as calls that never return, and the process
 * runs on. xtrace may see the end of a thread only after pthread_join() has
 * returned, so the program waits until the kernel has removed the thread.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: void leaves(int);
 * FILE: p.conf: void waits(int);
 * FILE: p.conf: int fine(int);
 *
 * RUN: xtrace --pid=never -F p.conf -x leaves+waits+fine %t
 * COUNT: 1 fine(3) = 3
 * COUNT: 1 leaves(1%any
 * COUNT: 1 waits(2%any
 * CONTAINS:
 *   fine(3) = 3
 *   +++ exited (status 0) +++
 * ABSENT:
 *   %any) = 0
 *   %any) = <void>
 */
#include "subject.h"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static pthread_barrier_t there;
static pid_t tid;

NOINLINE void
leaves(int x)
{
	OPAQUE(x);
	pthread_exit((void *)1L);
}

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
leave(void *unused)
{
	tid = gettid();
	leaves(1);
	return unused;
}

static void *
be_cancelled(void *unused)
{
	tid = gettid();
	waits(2);
	return unused;
}

static void *
join(pthread_t thread)
{
	char path[64];
	void *result;

	pthread_join(thread, &result);
	snprintf(path, sizeof(path), "/proc/self/task/%d", tid);
	while (access(path, F_OK) == 0)
		usleep(1000);
	return result;
}

int
main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, leave, 0);
	if (join(thread) != (void *)1L)
		return 1;
	pthread_barrier_init(&there, 0, 2);
	pthread_create(&thread, 0, be_cancelled, 0);
	pthread_barrier_wait(&there);
	pthread_cancel(thread);
	return join(thread) == PTHREAD_CANCELED ? fine(3) - 3 : 2;
}
