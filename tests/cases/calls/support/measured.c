/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * measured N [NS]: calls spin() N times for 0, 1, 10 and 100 us each, by turns,
 * or 4 N times for NS nanoseconds. Prints the nanoseconds between the two ends
 * of each call, by its own clock. If NS is `threads`, the calls are by turns,
 * and a second thread waits.
 *
 * LDFLAGS: -pthread
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * 1000000000 + time.tv_nsec;
}

__attribute__((noinline)) long
spin(long ns)
{
	long began = now(), ended = began;

	while (ended - began < ns)
		ended = now();
	return ended - began;
}

static void *
waiter(void *unused)
{
	for (;;)
		pause();
	return unused;
}

int
main(int argc, char **argv)
{
	long lengths[] = { 0, 1000, 10000, 100000 };
	long count = 4 * (argc > 1 ? atol(argv[1]) : 10);
	long *took = calloc((size_t)count, sizeof(*took));

	if (!took)
		return 1;
	if (argc > 2 && strcmp(argv[2], "threads") == 0)
		pthread_create(&(pthread_t){ 0 }, NULL, waiter, NULL);
	else if (argc > 2)
		lengths[0] = lengths[1] = lengths[2] = lengths[3] =
			atol(argv[2]);
	for (long i = 0; i < count; i++)
		took[i] = spin(lengths[i % 4]);
	for (long i = 0; i < count; i++)
		printf("%ld\n", took[i]);
	free(took);
	return 0;
}
