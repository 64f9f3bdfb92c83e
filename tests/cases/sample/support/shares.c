/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Threads that spend known shares of their CPU time in three functions, and
 * wait between. Prints for each thread and function the CPU time in ns, as the
 * kernel counts it, and a line "sum N" that shows that all work was done. The
 * argument is the number of rounds; a round is 10 ms long or more. The first
 * round begins when the program gets a line.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { THREADS = 2, PARTS = 3 };

static long rounds;
static uint64_t spent[THREADS][PARTS];
static uint64_t sums[THREADS];

static uint64_t
now(clockid_t clock)
{
	struct timespec time;

	clock_gettime(clock, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

#define PART(name, number)                                               \
	static NOINLINE uint64_t name(uint64_t *to, uint64_t ns)         \
	{                                                                \
		uint64_t begin = now(CLOCK_THREAD_CPUTIME_ID), time = 0; \
		volatile uint64_t sum = 0;                               \
									 \
		while (time < ns) {                                      \
			for (int i = 0; i < 20000; i++)                  \
				sum = sum + number;                      \
			time = now(CLOCK_THREAD_CPUTIME_ID) - begin;     \
		}                                                        \
		to[number - 1] += time;                                  \
		return number;                                           \
	}

PART(small, 1)
PART(middle, 2)
PART(large, 3)

static void *
run(void *argument)
{
	long n = (long)(intptr_t)argument;
	const struct timespec rest = { 0, 3000000 };

	for (long i = 0; i < rounds; i++) {
		/* The three functions do a tenth, three tenths and six tenths
		 * of the work. */
		sums[n] += small(spent[n], 700000);
		sums[n] += middle(spent[n], 2100000);
		nanosleep(&rest, NULL);
		sums[n] += large(spent[n], 4200000);
	}
	return NULL;
}

int
main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	char line[8];
	uint64_t sum = 0;

	rounds = argc > 1 ? atol(argv[1]) : 100;
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (long n = 0; n < THREADS; n++)
		pthread_create(&threads[n], NULL, run, (void *)(intptr_t)n);
	for (int n = 0; n < THREADS; n++)
		pthread_join(threads[n], NULL);
	for (int n = 0; n < THREADS; n++) {
		for (int part = 0; part < PARTS; part++)
			fprintf(stderr, "%d %d %lu\n", n, part,
				(unsigned long)spent[n][part]);
		sum += sums[n];
	}
	printf("sum %lu\n", (unsigned long)sum);
	return 3;
}
