/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * As many threads as the argument says, which all run forever on one CPU. See
 * crowded.py.
 *
 * CFLAGS: -D_GNU_SOURCE
 * LDFLAGS: -pthread
 */
#include "subject.h"
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x + 1;
}

static void *
run(void *unused)
{
	for (long i = 0;; i++)
		OPAQUE(i);
	return unused;
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	cpu_set_t one;

	/* The lowest priority, so that the tracer gets a part of the CPU. */
	if (nice(10) < 0)
		return 96;
	CPU_ZERO(&one);
	CPU_SET((size_t)sched_getcpu(), &one);
	if (sched_setaffinity(0, sizeof(one), &one) < 0)
		return 97;
	for (int i = 0; i < count; i++) {
		pthread_t thread;

		if (pthread_create(&thread, 0, run, 0))
			return 98;
	}
	ready();
	return f(4) == 5 ? 5 : 1;
}
