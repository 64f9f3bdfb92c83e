/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Four threads start threads as fast as they can, BIRTHS in all. Each new
 * thread works for a moment, sends a byte through a pipe of its own, and ends.
 * Aborts if a system call fails or ends early. Writes how many threads there
 * were and the sum of what they have computed, and to stderr how many there
 * were per second.
 *
 * CFLAGS: -O1 -pthread
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define MAKERS 4

static unsigned births;

static void
must(int good)
{
	if (!good)
		abort();
}

static void *
newborn(void *number)
{
	const struct timespec moment = { .tv_nsec = 1000 };
	uintptr_t sum = (uintptr_t)number;
	int ends[2];
	char byte = 'x';

	for (volatile unsigned i = 0; i < 200; i++)
		sum = sum * 31 + i;
	must(pipe(ends) == 0);
	must(write(ends[1], &byte, 1) == 1);
	must(read(ends[0], &byte, 1) == 1);
	must(close(ends[0]) == 0 && close(ends[1]) == 0);
	must(nanosleep(&moment, NULL) == 0);
	return (void *)sum;
}

static void *
maker(void *number)
{
	uintptr_t sum = 0;

	for (unsigned i = (unsigned)(uintptr_t)number; i < births;
	     i += MAKERS) {
		pthread_t thread;
		void *result;

		must(pthread_create(&thread, NULL, newborn,
				    (void *)(uintptr_t)i) == 0);
		must(pthread_join(thread, &result) == 0);
		sum += (uintptr_t)result;
	}
	return (void *)sum;
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	pthread_t makers[MAKERS];
	uintptr_t sum = 0;
	double begun;

	births = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
	setbuf(stdout, NULL);
	printf("ready\n");
	must(argc < 3 || getchar() == '\n');
	begun = now();
	for (unsigned i = 0; i < MAKERS; i++)
		must(pthread_create(&makers[i], NULL, maker,
				    (void *)(uintptr_t)i) == 0);
	for (unsigned i = 0; i < MAKERS; i++) {
		void *result;

		must(pthread_join(makers[i], &result) == 0);
		sum += (uintptr_t)result;
	}
	fprintf(stderr, "%.0f per second\n", births / (now() - begun));
	printf("%u threads, %ju\n", births, (uintmax_t)sum);
	return 3;
}
