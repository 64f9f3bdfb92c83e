/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Eight threads call one function at once. No call is lost while another thread
 * runs past the trap, and each thread checks every result.
 *
 * LDFLAGS: -pthread
 * TIMEOUT: 60
 *
 * RUN: xtrace --pid=never -x f %t
 * COUNT: 8000 f(%any
 */
#include "subject.h"
#include <pthread.h>

NOINLINE long
f(long x)
{
	x = x * 3 + 1;
	OPAQUE(x);
	return x;
}

static void *
run(void *argument)
{
	long from = (long)argument, wrong = 0;

	for (long i = from; i < from + 1000; i++)
		wrong += f(i) != i * 3 + 1;
	return (void *)wrong;
}

int
main(void)
{
	pthread_t threads[8];
	void *wrong;

	for (long i = 0; i < 8; i++)
		pthread_create(&threads[i], 0, run, (void *)(i * 10000));
	for (int i = 0; i < 8; i++) {
		pthread_join(threads[i], &wrong);
		if (wrong)
			return 1;
	}
	return 0;
}
