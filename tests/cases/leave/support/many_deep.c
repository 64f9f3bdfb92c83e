/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * many_deep THREADS: so many threads block, each with a deep stack. Writes
 * ready, and ends with its input.
 */
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define DEPTH 200
#define STACK_SIZE (PTHREAD_STACK_MIN + 65536)

static pthread_barrier_t all_deep;

__attribute__((noinline)) int f(int depth);

int
f(int depth)
{
	if (depth == 0) {
		pthread_barrier_wait(&all_deep);
		pause();
	}
	return depth ? f(depth - 1) + 1 : 0;
}

static void *
go_down(void *unused)
{
	(void)unused;
	f(DEPTH);
	return NULL;
}

int
main(int argc, char **argv)
{
	int count = argc > 1 ? atoi(argv[1]) : 1;
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_SIZE);
	pthread_barrier_init(&all_deep, NULL, (unsigned)count + 1);
	for (int i = 0; i < count; i++)
		if (pthread_create(&thread, &attributes, go_down, NULL))
			return 1;
	pthread_barrier_wait(&all_deep);
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF)
		;
	return 0;
}
