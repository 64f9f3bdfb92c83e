/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Gets memory in known shares: one() half of it, two() and three() a quarter
 * each. With "keep ROUNDS [LOOPS]", so many rounds of four pieces are kept, and
 * the program loops so often before each piece; without it, two threads get
 * memory and give it back until standard input ends.
 *
 * CFLAGS: -O1 -pthread -fno-optimize-sibling-calls
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

#define PIECE (256ul << 10)

static atomic_bool over;
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

int
main(int argc, char **argv)
{
	pthread_t threads[2];

	setbuf(stdout, NULL);
	if (argc > 3)
		loops = atoi(argv[3]);
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
