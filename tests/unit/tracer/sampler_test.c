/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Samples of a whole session, in which xtrace samples a copy of the test. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WORK_NS 300000000L

static long
cpu_time(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return now.tv_sec * 1000000000L + now.tv_nsec;
}

TARGET static unsigned
unit_work(long until)
{
	unsigned sum = 0;

	while (cpu_time() < until) {
		for (unsigned i = 0; i < 100000; i++)
			sum += i * sum;
	}
	return sum;
}

static void
work(void)
{
	unit_work(cpu_time() + WORK_NS);
}

static pthread_mutex_t working = PTHREAD_MUTEX_INITIALIZER;

static void *
wait_for_work(void *argument)
{
	pthread_mutex_lock(&working);
	pthread_mutex_unlock(&working);
	return argument;
}

/* This thread works, and another thread waits for it. */
static void
work_and_wait(void)
{
	pthread_t thread;

	pthread_mutex_lock(&working);
	if (pthread_create(&thread, NULL, wait_for_work, NULL) == 0) {
		work();
		pthread_mutex_unlock(&working);
		pthread_join(thread, NULL);
	}
}

/* The own time and the total time in the row with this name, in seconds. Both
 * are 0 if there is no such row. */
static void
times_of(const char *table, const char *name, double *ret_self,
	 double *ret_total)
{
	const char *at = strstr(table, name);

	*ret_self = *ret_total = 0;
	if (!at)
		return;
	while (at > table && at[-1] != '\n')
		at--;
	ck_assert_msg(sscanf(at, "%lf %*s %lf", ret_self, ret_total) == 2, "%s",
		      table);
}

/* The CPU time of the copy is that of the test's own clock, wherever the
 * samples were taken, and nearly all of it is in one function. */
START_TEST(time_on_a_cpu)
{
	char *table =
		stage_trace("--sample=499 --group-by function", NULL, work);
	double self, total;

	times_of(table, "unit_work", &self, &total);
	ck_assert_msg(total > 0.2 && total < 0.6, "%s", table);
	ck_assert_ptr_nonnull(strstr(table, " samples of 1 thread\n"));
	free(table);
	free(stage_said());
}
END_TEST

/* With --sample-mode=wall, the time of a thread that waits counts, too. */
START_TEST(time_of_the_clock)
{
	char *table = stage_trace("--sample=499 --sample-mode=wall --group-by "
				  "thread",
				  NULL, work_and_wait);

	ck_assert_msg(strstr(table, " of 2 threads\n") != NULL, "%s", table);
	free(table);
	free(stage_said());
}
END_TEST

Suite *
sampler_suite(void)
{
	Suite *suite = suite_create("tracer/sampler");
	TCase *tests = tcase_create("tracer/sampler");

	tcase_set_timeout(tests, 60);
	tcase_add_test(tests, time_on_a_cpu);
	tcase_add_test(tests, time_of_the_clock);
	suite_add_tcase(suite, tests);
	return suite;
}
