/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that make one call and end at once.
 *
 * LDFLAGS: -pthread
 *
 * RUN: xtrace --pid=never -x f %t
 * COUNT: 300 f(%any
 *
 * RUN: xtrace -x f -p %p
 * ATTACH:
 * COUNT: 300 %id f(%any
 */
#include "subject.h"
#include <pthread.h>

NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x;
}

static void *
run(void *argument)
{
	return (void *)f((long)argument);
}

int
main(void)
{
	pthread_t threads[3];

	ready();
	for (int i = 0; i < 100; i++) {
		for (long j = 0; j < 3; j++)
			pthread_create(&threads[j], 0, run, (void *)j);
		for (int j = 0; j < 3; j++)
			pthread_join(threads[j], 0);
	}
	return 0;
}
