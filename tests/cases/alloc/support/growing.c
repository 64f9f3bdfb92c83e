/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets memory in known shares: one() half of it, two() and three() a quarter
 * each. With "keep ROUNDS [LOOPS]", so many rounds of four pieces are kept, and
 * the program loops so often before each piece; with "leader" instead of
 * "keep", the first thread keeps a third of them and ends, and a second one
 * keeps the rest and writes to stderr how long that took. Without arguments,
 * two threads get memory and give it back until standard input ends.
 *
 * CFLAGS: -O1 -pthread -fno-optimize-sibling-calls
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define PIECE (256ul << 10)

static atomic_bool over, begun;
static atomic_ulong rounds;
static int loops = 20000; /* of work() for each piece */

static void
work(void)
{
	for (volatile int i = 0; i < loops; i++)
		;
}

static void *
piece(void)
{
	char *at;

	work();
	at = mmap(NULL, PIECE, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (at == MAP_FAILED)
		abort();
	*at = 'x';
	return at;
}

#define PART(name)                               \
	__attribute__((noinline)) static void    \
	name(void **to)                          \
	{                                        \
		*to = piece();                   \
		__asm__ volatile("" ::: "memory"); \
	}
PART(one)
PART(two)
PART(three)

static void
take_round(void **to)
{
	one(&to[0]);
	two(&to[1]);
	one(&to[2]);
	three(&to[3]);
}

static void *
again(void *unused)
{
	while (!over) {
		void *got[4];

		take_round(got);
		for (int i = 0; i < 4; i++) {
			if (*(char *)got[i] != 'x' || munmap(got[i], PIECE))
				abort();
		}
		rounds++;
	}
	return unused;
}

static void
keep(int wanted)
{
	for (int i = 0; i < wanted; i++) {
		void *got[4];

		take_round(got);
	}
	printf("kept %d\n", wanted * 4);
}

static double
now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *
keep_rest(void *rounds)
{
	double since;

	while (!begun)
		;
	since = now();
	keep(*(int *)rounds);
	fprintf(stderr, "%.3f s\n", now() - since);
	exit(7);
}

/* The stack of the second thread is mapped before the program grows. */
static void
end_leader(int wanted)
{
	static int rest;
	pthread_t thread;

	rest = wanted - wanted / 3;
	if (pthread_create(&thread, NULL, keep_rest, &rest) != 0)
		abort();
	keep(wanted / 3);
	begun = true;
	syscall(SYS_exit, 0);
}

int
main(int argc, char **argv)
{
	pthread_t threads[2];

	setbuf(stdout, NULL);
	if (argc > 3)
		loops = atoi(argv[3]);
	if (argc > 2 && strcmp(argv[1], "leader") == 0)
		end_leader(atoi(argv[2]));
	if (argc > 2) {
		keep(atoi(argv[2]));
		return 7;
	}
	for (int i = 0; i < 2; i++)
		pthread_create(&threads[i], NULL, again, NULL);
	printf("ready\n");
	for (int c; (c = getchar()) != EOF;) {
		unsigned long before = rounds;

		while (c == '\n' && rounds < before + 100)
			;
		if (c == '\n')
			printf("round\n");
	}
	over = true;
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
