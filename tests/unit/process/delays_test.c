/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How long this thread, and a child beside it, have waited for a CPU. */
#include "process/delays.h"
#include "tests/unit/process/suites.h"

#include "process/tally.h"

#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t
busy_child(void)
{
	pid_t pid = fork();

	if (pid == 0)
		for (;;)
			;
	ck_assert_int_gt(pid, 0);
	return pid;
}

static uint64_t
delay_with(struct delays *delays, pid_t pid)
{
	struct tally tally = { 0 };
	uint64_t delay = 0;

	ck_assert_int_eq(delays_read(delays, pid, pid, &tally, &delay), 0);
	ck_assert_uint_gt(tally.others, 0);
	return delay;
}

/* This thread and the child run on one CPU, so each waits for the other. */
START_TEST(grow)
{
	struct delays delays;
	struct tally tally = { 0 };
	cpu_set_t set;
	uint64_t first, later;
	pid_t pid;
	int r;

	CPU_ZERO(&set);
	CPU_SET((size_t)sched_getcpu(), &set);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(set), &set), 0);
	pid = busy_child();
	delays_init(&delays);
	first = delay_with(&delays, pid);
	do
		later = delay_with(&delays, pid);
	while (later < first + 1000000);
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	r = delays_read(&delays, pid, pid, &tally, &later);
	ck_assert_msg(r == -ESRCH || r == -ENOENT, "%d", r);
	/* When the thread has ended, delays_read() opens the file of another
	 * thread instead. */
	ck_assert_uint_gt(delay_with(&delays, getpid()), 0);
	delays_release(&delays);
}
END_TEST

Suite *
delays_suite(void)
{
	Suite *suite = suite_create("process/delays");
	TCase *tests = tcase_create("delays");

	tcase_add_test(tests, grow);
	suite_add_tcase(suite, tests);
	return suite;
}
