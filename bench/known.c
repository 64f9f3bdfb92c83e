/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * known N: makes N calls each that spin for 0, 1, 10, 100 and 1000 us, by
 * turns, within one call of bench_around(). Prints the length of each call in
 * nanoseconds, as the difference of two readings of the clock within the call.
 */
#include "bench/subject.h"

#define LENGTHS 5

uint64_t bench_spin(uint64_t ns);
void bench_around(uint64_t *took, long count);

__attribute__((noinline)) uint64_t
bench_spin(uint64_t ns)
{
	uint64_t began = subject_now(), ended = began;

	while (ended - began < ns)
		ended = subject_now();
	return ended - began;
}

__attribute__((noinline)) void
bench_around(uint64_t *took, long count)
{
	static const uint64_t lengths[LENGTHS] = { 0, 1000, 10000, 100000,
						   1000000 };

	for (long i = 0; i < count; i++)
		took[i] = bench_spin(lengths[i % LENGTHS]);
}

int
main(int argc, char **argv)
{
	long count = (argc > 1 ? atol(argv[1]) : 100) * LENGTHS;
	uint64_t *took = calloc((size_t)count, sizeof(*took));

	bench_around(took, count);
	for (long i = 0; i < count; i++)
		printf("%lu\n", took[i]);
	free(took);
	return 0;
}
