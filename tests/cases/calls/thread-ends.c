/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that end within a traced function, by pthread_exit or by being
 * cancelled. Their calls are shown as calls that never return, and the process
 * runs on.
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

static pthread_barrier_t there;

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
	leaves(1);
	return unused;
}

static void *
be_cancelled(void *unused)
{
	waits(2);
	return unused;
}

int
main(void)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, 0, leave, 0);
	pthread_join(thread, &result);
	if (result != (void *)1L)
		return 1;
	pthread_barrier_init(&there, 0, 2);
	pthread_create(&thread, 0, be_cancelled, 0);
	pthread_barrier_wait(&there);
	pthread_cancel(thread);
	pthread_join(thread, &result);
	return result == PTHREAD_CANCELED ? fine(3) - 3 : 2;
}
