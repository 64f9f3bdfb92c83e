/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Starts THREADS threads. At each line of input all of them call f CALLS times.
 * A round of "run" lasts until the next line. See loads.py.
 *
 * LDFLAGS: -pthread
 */
#define _GNU_SOURCE
#include "subject.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_barrier_t begin, end;
static atomic_bool over, stop;
static atomic_long wrong, done;
static long calls;

NOINLINE long
f(long x)
{
	OPAQUE(x);
	return x + 1;
}

static void *
run(void *number)
{
	while (pthread_barrier_wait(&begin), !over) {
		for (long i = 0; calls ? i < calls : !stop; i++) {
			if (f(i + (long)number) != i + (long)number + 1)
				wrong++;
			done++;
		}
		pthread_barrier_wait(&end);
	}
	return 0;
}

/* The first character of a line says what to do. */
static char
asked(void)
{
	char c = 0, next;

	if (read(0, &c, 1) != 1)
		return 'q';
	while (c != '\n' && read(0, &next, 1) == 1 && next != '\n')
		;
	return c;
}

int
main(int argc, char **argv)
{
	unsigned count = (unsigned)atoi(argv[1]);
	long wanted = 0, each = argc > 2 ? atol(argv[2]) : 1;
	pthread_t *threads = calloc(count, sizeof(*threads));
	pthread_attr_t small;

	pthread_barrier_init(&begin, 0, count + 1);
	pthread_barrier_init(&end, 0, count + 1);
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 16);
	for (unsigned i = 0; i < count; i++)
		if (pthread_create(&threads[i], &small, run, (void *)(long)i))
			return 98;
	say("ready");
	for (char what; (what = asked()) != 'q';) {
		calls = what == 'r' ? 0 : each;
		stop = false;
		done = 0;
		pthread_barrier_wait(&begin);
		if (what == 'r') {
			say("running");
			asked();
			stop = true;
		}
		pthread_barrier_wait(&end);
		wanted = (long)count * calls;
		say(calls && done != wanted ? "calls are MISSING" : "round");
	}
	over = true;
	pthread_barrier_wait(&begin);
	for (unsigned i = 0; i < count; i++)
		pthread_join(threads[i], 0);
	say(wrong ? "WRONG" : "right");
	return 5;
}
