/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaves calls of through() in three ways: by an exception, by pthread_cancel,
 * and after a look at the stack by backtrace(). Prints what was counted: how
 * many were caught, how many clean-ups ran, and which stacks were seen.
 *
 * LIB: libunwound.so -DUNWOUND -O2
 * CFLAGS: -O2
 * LDFLAGS: -lunwound -lpthread
 */
extern "C" int through(int (*then)(int), int x);

#ifdef UNWOUND

extern "C" __attribute__((noinline)) int
through(int (*then)(int), int x)
{
	int result = then(x);

	__asm__ volatile("" ::: "memory");
	return result - 3;
}

#else

#include <cstdio>
#include <cstdlib>
#include <execinfo.h>
#include <pthread.h>
#include <stdexcept>

#define DEPTH_MOST 32

static long cleaned, frames, heads;
static void *first[DEPTH_MOST];

static int
give(int x)
{
	return x % 7;
}

static int
raise_it(int x)
{
	if (x % 3 == 0)
		throw std::runtime_error("three");
	return x;
}

static int
nest(int x)
{
	return through(raise_it, x);
}

/* The stack is the same at each call. */
static int
look(int x)
{
	void *at[DEPTH_MOST];
	int count = backtrace(at, DEPTH_MOST);

	frames += count;
	for (int i = 1; i < count; i++) {
		if (!first[i])
			first[i] = at[i];
		heads += first[i] == at[i];
	}
	return x;
}

static void
clean(void *unused)
{
	(void)unused;
	cleaned++;
}

static int
end_thread(int x)
{
	pthread_cancel(pthread_self());
	pthread_testcancel();
	return x;
}

static void *
thread(void *unused)
{
	pthread_cleanup_push(clean, NULL);
	for (int i = 0; i < 20; i++)
		through(give, i);
	through(end_thread, 1);
	pthread_cleanup_pop(0);
	return unused;
}

int
main(int argc, char **argv)
{
	int count = atoi(argv[argc - 1]), caught = 0, canceled = 0;
	long sum = 0;

	for (int i = 0; i < count; i++) {
		sum += through(give, i);
		sum += through(look, i);
		try {
			sum += through(nest, i);
		} catch (const std::runtime_error &) {
			caught++;
		}
	}
	for (int i = 0; i < count / 100; i++) {
		pthread_t id;
		void *result;

		pthread_create(&id, NULL, thread, NULL);
		pthread_join(id, &result);
		canceled += result == PTHREAD_CANCELED;
	}
	printf("%d caught, %d canceled, %ld cleaned, %ld frames, %ld alike, "
	       "sum %ld\n",
	       caught, canceled, cleaned, frames, heads, sum);
	return 0;
}

#endif
