/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of many sizes: in use, in caches of threads, in fast bins and other
 * bins, and blocks with a mapping of their own, in the main arena and in
 * arenas of threads. Writes what mallinfo2() and malloc_info() say, without
 * the use of malloc() in between, then "all", and waits for a line. With a
 * word, threads allocate and free meanwhile.
 */
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS 3
#define ROUNDS 3000

static pthread_barrier_t made;
static volatile int over;
static char buffer[1 << 20];

/* Keeps every third block, and frees the others; the large ones last. */
static void
fill(unsigned seed)
{
	static __thread void *blocks[ROUNDS];

	for (unsigned i = 0; i < ROUNDS; i++) {
		unsigned size = rand_r(&seed) % (i % 50 ? 700 : 40000) +
				(i % 50 ? 0 : 1200);

		blocks[i] = malloc(size);
		if (!blocks[i])
			abort();
		memset(blocks[i], (int)i, size);
	}
	for (unsigned i = 0; i < ROUNDS; i++)
		if (i % 3)
			free(blocks[i]);
}

static void *
run(void *number)
{
	fill((unsigned)(size_t)number);
	pthread_barrier_wait(&made);
	while (!over)
		pause();
	return NULL;
}

static void *
churn(void *number)
{
	unsigned seed = (unsigned)(size_t)number;
	void *blocks[64] = { NULL };

	pthread_barrier_wait(&made);
	while (!over) {
		unsigned at = (unsigned)rand_r(&seed) % 64;

		free(blocks[at]);
		blocks[at] = malloc((unsigned)rand_r(&seed) % 900);
	}
	for (unsigned i = 0; i < 64; i++)
		free(blocks[i]);
	return NULL;
}

static void
say_counts(FILE *file)
{
	struct mallinfo2 info = mallinfo2();

	malloc_info(0, file);
	fprintf(file,
		"arena %zu ordblks %zu smblks %zu hblks %zu hblkhd %zu "
		"fsmblks %zu uordblks %zu fordblks %zu keepcost %zu\n",
		info.arena, info.ordblks, info.smblks, info.hblks, info.hblkhd,
		info.fsmblks, info.uordblks, info.fordblks, info.keepcost);
	fprintf(file, "all\n");
	fflush(file);
}

int
main(int argc, char **argv)
{
	pthread_t threads[THREADS];
	void *large[4], *odd[17];
	char line[16];

	(void)argv;
	/* 17 blocks of a size that no other block has: 5 are freed. */
	for (size_t i = 0; i < 17; i++)
		odd[i] = malloc(1000);
	setvbuf(stdout, buffer, _IOFBF, sizeof(buffer));
	pthread_barrier_init(&made, NULL, THREADS + 1);
	for (size_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, argc > 1 ? churn : run,
				   (void *)(i + 1)))
			abort();
	fill(77);
	for (size_t i = 0; i < 4; i++)
		large[i] = malloc((i + 1) << 20);
	for (size_t i = 0; i < 5; i++)
		free(odd[i]);
	pthread_barrier_wait(&made);
	say_counts(stdout);
	if (read(0, line, sizeof(line)) < 0)
		abort();
	over = 1;
	free(large[0]);
	printf("end\n");
	fflush(stdout);
	if (argc == 1)
		_exit(0);
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(threads[i], NULL);
	return 0;
}
