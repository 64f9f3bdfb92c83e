/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions that tell by their own clock how long they took.
 *
 * CFLAGS: -g
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define CALLS 300

struct took {
	long ns;
};

static long
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Runs for so many ns. Returns the ns between the first and the last reading of
 * the clock in the function. */
__attribute__((noinline)) long
spin(long ns)
{
	long began = now(), ended = began;

	while (ended - began < ns)
		ended = now();
	return ended - began;
}

__attribute__((noinline)) long
around(long ns, long *sum)
{
	long began = now();

	for (int i = 0; i < CALLS; i++)
		*sum += spin(ns);
	return now() - began;
}

int
main(int argc, char **argv)
{
	long ns = argc > 1 ? atol(argv[1]) : 0, sum = 0, whole;

	whole = around(ns, &sum);
	printf("%ld %ld\n", sum, whole);
	return 0;
}
