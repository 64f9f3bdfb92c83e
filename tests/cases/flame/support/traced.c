/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Nested calls on two threads; some of the functions are called often. See
 * traced.py.
 *
 * LDFLAGS: -lpthread
 */
#include "subject.h"

#include <pthread.h>
#include <stdlib.h>

NOINLINE int
leaf(int n)
{
	volatile int work = 0;

	for (int i = 0; i < n * 1000; i++)
		work += i;
	return work;
}

NOINLINE int
again(int depth)
{
	OPAQUE(depth);
	return depth > 0 ? again(depth - 1) + leaf(depth) : leaf(1);
}

NOINLINE int
branch(int n)
{
	int sum = leaf(n);

	for (int i = 0; i < n; i++)
		sum += leaf(i);
	return sum + again(n);
}

static void *
thread(void *argument)
{
	branch(5);
	return argument;
}

int
main(void)
{
	pthread_t other;

	pthread_create(&other, NULL, thread, NULL);
	pthread_join(other, NULL);
	for (int n = 0; n < 4; n++)
		branch(n);
	return 0;
}
