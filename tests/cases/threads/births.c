/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads are traced from their start, also threads that other threads start.
 * The trace has the column of the thread from the moment a second thread
 * prints.
 *
 * LDFLAGS: -pthread
 * FILE: p.conf: int f(int);
 *
 * RUN: xtrace -F p.conf -x f %t
 * CONTAINS:
 *   f(1) = 1
 *   %id +++ exited (status 0) +++
 * COUNT: 1 f(1) = 1
 * COUNT: 20 %id f(100%any
 * COUNT: 20 %id f(200%any
 * COUNT: 20 %id f(300%any
 * COUNT: 20 %id f(400%any
 * COUNT: 1 %id f(2) = 2
 *
 * RUN: xtrace --pid=never -F p.conf -x f %t
 * COUNT: 82 f(%num%any
 *
 * RUN: xtrace --pid=always -F p.conf -x f %t
 * COUNT: 1 %id f(1) = 1
 *
 * RUN: xtrace -F p.conf -x f -p %p
 * ATTACH:
 * COUNT: 82 %id f(%num%any
 */
#include "subject.h"
#include <pthread.h>

NOINLINE int
f(int x)
{
	OPAQUE(x);
	return x;
}

static void *
run(void *argument)
{
	long depth = (long)argument;
	pthread_t thread;

	f((int)depth * 100);
	if (depth < 4)
		pthread_create(&thread, 0, run, (void *)(depth + 1));
	for (int i = 1; i < 20; i++)
		f((int)depth * 100);
	if (depth < 4)
		pthread_join(thread, 0);
	return 0;
}

int
main(void)
{
	pthread_t thread;

	ready();
	f(1);
	pthread_create(&thread, 0, run, (void *)1L);
	pthread_join(thread, 0);
	return f(2) - 2;
}
