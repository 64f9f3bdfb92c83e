/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * threads N SECONDS: N threads call bench_int() for this time. Prints the calls
 * per second of all threads, and the calls of the slowest thread as a share of
 * the mean.
 */
#include "bench/called.h"
#include "bench/subject.h"

#include <pthread.h>
#include <stdatomic.h>

static atomic_bool go, stop;
static atomic_int ready;

static void *
call(void *calls)
{
	bench_int(0);
	atomic_fetch_add(&ready, 1);
	while (!atomic_load(&go))
		usleep(1000);
	while (!atomic_load(&stop))
		*(long *)calls += bench_int(0);
	return NULL;
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 64;
	double seconds = argc > 2 ? atof(argv[2]) : 1, total = 0, least;
	pthread_t *threads = calloc((size_t)count, sizeof(*threads));
	/* Each thread's count is in its own cache line. */
	long(*calls)[16] = calloc((size_t)count, sizeof(*calls));
	uint64_t start;

	for (int i = 0; i < count; i++)
		pthread_create(&threads[i], NULL, call, calls[i]);
	while (atomic_load(&ready) < count)
		usleep(1000);
	start = subject_now();
	atomic_store(&go, 1);
	usleep((useconds_t)(seconds * 1e6));
	atomic_store(&stop, 1);
	for (int i = 0; i < count; i++)
		pthread_join(threads[i], NULL);
	seconds = (double)(subject_now() - start) / 1e9;
	least = (double)calls[0][0];
	for (int i = 0; i < count; i++) {
		total += (double)calls[i][0];
		if ((double)calls[i][0] < least)
			least = (double)calls[i][0];
	}
	printf("%.1f %.3f\n", total / seconds, least * count / total);
	free(threads);
	free(calls);
	return 0;
}
