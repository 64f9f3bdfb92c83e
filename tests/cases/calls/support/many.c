/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Calls many functions, f000 to f677 some times each, and then one of
 * them in many threads that exist at the same time. Arguments: how many calls,
 * how many threads. Prints how many calls each function got.
 *
 * CFLAGS: -O2
 * LDFLAGS: -lpthread -rdynamic
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define EIGHT(m, x) \
	m(x##0) m(x##1) m(x##2) m(x##3) m(x##4) m(x##5) m(x##6) m(x##7)
/* The same as EIGHT, for a macro that uses EIGHT: a macro is not expanded
 * within itself. */
#define OCTAL(m, x) \
	m(x##0) m(x##1) m(x##2) m(x##3) m(x##4) m(x##5) m(x##6) m(x##7)
#define DEFINE(x)                                  \
	__attribute__((noinline)) int f##x(int a)  \
	{                                          \
		__asm__ volatile("" ::: "memory"); \
		return a * 3 + 0x##x;              \
	}
#define DEFINE_EIGHT(x) EIGHT(DEFINE, x)
#define NAME(x) { "f" #x, f##x, 0 },
#define NAME_EIGHT(x) EIGHT(NAME, x)

OCTAL(DEFINE_EIGHT, 0)
OCTAL(DEFINE_EIGHT, 1)
OCTAL(DEFINE_EIGHT, 2)
OCTAL(DEFINE_EIGHT, 3)
OCTAL(DEFINE_EIGHT, 4)
OCTAL(DEFINE_EIGHT, 5)
OCTAL(DEFINE_EIGHT, 6)

static struct {
	const char *name;
	int (*function)(int);
	long calls;
} all[] = { OCTAL(NAME_EIGHT, 0) OCTAL(NAME_EIGHT, 1) OCTAL(NAME_EIGHT, 2)
		    OCTAL(NAME_EIGHT, 3) OCTAL(NAME_EIGHT, 4)
			    OCTAL(NAME_EIGHT, 5) OCTAL(NAME_EIGHT, 6) };

#define COUNT (sizeof(all) / sizeof(all[0]))

static volatile int sink;
static long calls;
static pthread_barrier_t all_exist, all_have_called;

/* Makes the calls of all functions, so they all return to one address. */
__attribute__((noinline, noclone)) static void
call(size_t number)
{
	for (long i = 0; i < calls; i++)
		sink = all[number].function((int)i);
}

static void *
thread(void *unused)
{
	pthread_barrier_wait(&all_exist);
	call(0);
	pthread_barrier_wait(&all_have_called);
	return unused;
}

int
main(int argc, char **argv)
{
	unsigned threads = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
	pthread_t *ids = calloc(threads + 1, sizeof(*ids));
	pthread_attr_t small;

	calls = argc > 1 ? atol(argv[1]) : 0;
	for (size_t i = 0; i < COUNT; i++) {
		/* The threads will call the first of the functions. */
		unsigned rounds = i ? 1 : 4;

		for (unsigned round = 0; round < rounds; round++)
			call(i);
		all[i].calls = rounds * calls;
	}
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 65536);
	pthread_barrier_init(&all_exist, NULL, threads + 1);
	pthread_barrier_init(&all_have_called, NULL, threads + 1);
	for (unsigned i = 0; i < threads; i++)
		if (pthread_create(&ids[i], &small, thread, NULL) != 0)
			abort();
	if (threads) {
		pthread_barrier_wait(&all_exist);
		pthread_barrier_wait(&all_have_called);
	}
	for (unsigned i = 0; i < threads; i++)
		pthread_join(ids[i], NULL);
	all[0].calls += threads * calls;
	for (size_t i = 0; i < COUNT; i++)
		printf("%s %ld\n", all[i].name, all[i].calls);
	free(ids);
	return 0;
}
