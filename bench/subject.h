/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What the benchmark's subjects share: they measure their own time, and if
 * bench/floor is the tracer, they tell it where to plant its traps.
 */
#ifndef BENCH_SUBJECT_H
#define BENCH_SUBJECT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

/*
 * The environment variable with bench/floor's two descriptors:
 * "descriptor-to-write descriptor-to-read".
 */
#define SUBJECT_SAYS "BENCH_SUBJECT_SAYS"

struct subject_says {
	uint64_t function; /* the address of the function */
	/* for slots, within reach of the function and of our text */
	uint64_t rooms[2];
};

static inline uint64_t
subject_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/*
 * Calls call() `count` times, after some calls to warm up, during which traps
 * are planted. Prints the nanoseconds per call: the mean, and the median of
 * chunks of a few calls. The median hides that now and then a chunk was
 * interrupted by other work of the machine.
 */
#define SUBJECT_WARM 200
#define SUBJECT_CHUNK 20
#define SUBJECT_CHUNKS_MOST 20000

static int
subject_compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static inline double
subject_time(void (*call)(long count), long count, double *ret_median)
{
	long chunks = count / SUBJECT_CHUNK;
	uint64_t *took, start, all;

	if (chunks > SUBJECT_CHUNKS_MOST)
		chunks = SUBJECT_CHUNKS_MOST;
	if (chunks < 1)
		chunks = 1;
	took = calloc((size_t)chunks, sizeof(*took));
	count /= chunks;
	call(SUBJECT_WARM);
	all = start = subject_now();
	for (long i = 0; i < chunks; i++) {
		call(count);
		took[i] = subject_now() - start;
		start += took[i];
	}
	all = start - all;
	qsort(took, (size_t)chunks, sizeof(*took), subject_compare);
	*ret_median = (double)took[chunks / 2] / (double)count;
	free(took);
	return (double)all / (double)count / (double)chunks;
}

/* Executable memory that is never executed, beside our text. */
__asm__(".text\n"
	".balign 64\n"
	"subject_room: .skip 128, 0xcc\n");
extern const char subject_room[];

/* Waits until the floor has planted its trap. Does nothing without the
 * floor. */
static inline void
subject_ready(const void *function)
{
	const char *text = getenv(SUBJECT_SAYS);
	struct subject_says says = { .function = (uint64_t)function,
				     .rooms = { 0, (uint64_t)subject_room } };
	int to, from;
	char go;

	if (!text || sscanf(text, "%d %d", &to, &from) != 2)
		return;
	says.rooms[0] = (uint64_t)mmap(NULL, 4096, PROT_READ | PROT_EXEC,
				       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (write(to, &says, sizeof(says)) != (ssize_t)sizeof(says) ||
	    read(from, &go, 1) != 1)
		exit(3);
}

#endif
