/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * More threads than CPUs, so that each of them waits for a CPU half of the
 * time. Each thread counts for some 300 us and then makes two short system
 * calls, again and again. The kernel likes to take the CPU from a thread at the
 * end of a system call, so it is there that most of the waiting threads are.
 * Prints at the end the CPU time of all threads, and that of counting(), in us.
 * The argument is the number of rounds of each thread. They begin when the
 * program gets a line.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { THREADS_MOST = 64, TRIED = 1000000, WANTED_NS = 300000 };

struct work {
	pthread_t thread;
	long rounds;
	uint64_t all, counted; /* CPU time in ns */
};

static struct work work[THREADS_MOST];
static volatile long most = TRIED; /* how far counting() counts */

static uint64_t
cpu_time(void)
{
	struct timespec time;

	syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static NOINLINE void
counting(void)
{
	long until = most;

	for (volatile long i = 0; i < until; i++)
		;
}

static NOINLINE uint64_t
asking(void)
{
	return cpu_time();
}

/* CPUs count at very different speeds. */
static void
measure(void)
{
	uint64_t begin = asking();

	counting();
	most = (long)((uint64_t)TRIED * WANTED_NS / (asking() - begin));
}

static void *
run(void *argument)
{
	struct work *mine = argument;

	for (long i = 0; i < mine->rounds; i++) {
		uint64_t begin = asking();

		counting();
		mine->counted += asking() - begin;
	}
	mine->all = cpu_time();
	return NULL;
}

int
main(int argc, char **argv)
{
	long threads = 2 * sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t all = 0, counted = 0;
	char line[8];

	if (threads > THREADS_MOST)
		threads = THREADS_MOST;
	measure();
	puts("ready");
	fflush(stdout);
	if (!fgets(line, sizeof(line), stdin))
		return 1;
	for (long n = 0; n < threads; n++) {
		work[n].rounds = argc > 1 ? atol(argv[1]) : 1000;
		pthread_create(&work[n].thread, NULL, run, &work[n]);
	}
	for (long n = 0; n < threads; n++) {
		pthread_join(work[n].thread, NULL);
		all += work[n].all;
		counted += work[n].counted;
	}
	printf("%lu %lu\n", (unsigned long)(all / 1000),
	       (unsigned long)(counted / 1000));
	return 0;
}
