/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The watcher restores bytes when xtrace has ended, and not before. */
#include "breakpoints/outlive/watcher.h"
#include "arch/arch.h"
#include "tests/unit/breakpoints/suites.h"
#include "tests/unit/live/tracee.h"

#include "process/space.h"

#include <pthread.h>
#include <time.h>
#include <unistd.h>

#define TRAP 0xcc
#define BYTES 200

static uint8_t bytes[BYTES];

static struct tally tally;
static struct space *space;
static struct watcher *watcher;
static uint32_t numbers[BYTES];

static void
setup(void)
{
	struct err err = { "" };
	pid_t pid = tracee_fork(tracee_pause);

	space = space_new(pid, &tally);
	ck_assert_int_eq(space_open(space, &err), 0);
	watcher = watcher_start();
	ck_assert_ptr_nonnull(watcher);
}

static void
teardown(void)
{
	space_unref(space);
}

static void
plant(unsigned i)
{
	const uint8_t trap = TRAP;

	numbers[i] = watcher_note(watcher, space->pid, (addr_t)&bytes[i],
				  &arch_of_host()->trap,
				  &(const uint8_t){ (uint8_t)i });
	ck_assert_uint_ne(numbers[i], 0);
	ck_assert_int_eq(space_write(space, (addr_t)&bytes[i], &trap, 1), 0);
}

static uint8_t
there(unsigned i)
{
	uint8_t byte;

	ck_assert_int_eq(space_read_raw(space, (addr_t)&bytes[i], &byte, 1), 0);
	return byte;
}

static void
await(unsigned i, uint8_t byte)
{
	const struct timespec nap = { .tv_nsec = 1000000 };

	while (there(i) != byte)
		nanosleep(&nap, NULL);
}

START_TEST(traps_are_lifted_when_we_have_ended)
{
	const uint8_t other = 0x90;

	for (unsigned i = 0; i < BYTES; i++)
		plant(i);
	/* One trap's note is removed, and another trap is overwritten. */
	watcher_forget(watcher, numbers[7]);
	ck_assert_int_eq(space_write(space, (addr_t)&bytes[8], &other, 1), 0);
	/* A note for a process that does not exist. */
	ck_assert_uint_ne(watcher_note(watcher, 5000000, 1,
				       &arch_of_host()->trap,
				       &(const uint8_t){ 2 }),
			  0);
	watcher_alarm(watcher);
	await(BYTES - 1, BYTES - 1);
	for (unsigned i = 0; i < BYTES; i++)
		ck_assert_uint_eq(there(i), i == 7 ? TRAP : i == 8 ? other : i);
}
END_TEST

static void *
trace(void *leaves)
{
	watcher_tracing(watcher);
	if (leaves)
		watcher_traced(watcher);
	return NULL;
}

static void
trace_in_thread(bool leaves)
{
	pthread_t thread;

	ck_assert_int_eq(pthread_create(&thread, NULL, trace,
					leaves ? &thread : NULL),
			 0);
	ck_assert_int_eq(pthread_join(thread, NULL), 0);
}

/* Only the tracing thread ends; the process of xtrace and its end of the pipe
 * remain. */
START_TEST(the_tracing_thread_ends)
{
	plant(5);
	trace_in_thread(false);
	await(5, 5);
	watcher_dismiss(watcher);
}
END_TEST

START_TEST(the_tracing_thread_has_left)
{
	plant(5);
	trace_in_thread(true);
	trace_in_thread(true);
	watcher_dismiss(watcher);
	ck_assert_uint_eq(there(5), TRAP);
}
END_TEST

START_TEST(the_tracing_thread_has_left_before_the_end)
{
	plant(5);
	trace_in_thread(true);
	watcher_alarm(watcher);
	await(5, 5);
}
END_TEST

START_TEST(a_proper_leave_lifts_the_traps)
{
	plant(0);
	watcher_dismiss(watcher);
	/* The watcher has ended, and the trap is still there. */
	ck_assert_uint_eq(there(0), TRAP);
}
END_TEST

START_TEST(numbers_are_used_again)
{
	uint32_t number;

	for (unsigned i = 0; i < 10; i++)
		plant(i);
	number = numbers[4];
	watcher_forget(watcher, numbers[4]);
	watcher_forget(watcher, 0);
	plant(4);
	ck_assert_uint_eq(numbers[4], number);
	watcher_dismiss(watcher);
}
END_TEST

START_TEST(there_may_be_none)
{
	watcher_dismiss(watcher);
	ck_assert_uint_eq(watcher_note(NULL, 1, 2, &arch_of_host()->trap,
				       &(const uint8_t){ 3 }),
			  0);
	watcher_forget(NULL, 5);
	watcher_tracing(NULL);
	watcher_traced(NULL);
	watcher_alarm(NULL);
	watcher_dismiss(NULL);
}
END_TEST

Suite *
watcher_suite(void)
{
	Suite *suite = suite_create("breakpoints/watcher");
	TCase *tests = tcase_create("watcher");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, traps_are_lifted_when_we_have_ended);
	tcase_add_test(tests, the_tracing_thread_ends);
	tcase_add_test(tests, the_tracing_thread_has_left);
	tcase_add_test(tests, the_tracing_thread_has_left_before_the_end);
	tcase_add_test(tests, a_proper_leave_lifts_the_traps);
	tcase_add_test(tests, numbers_are_used_again);
	tcase_add_test(tests, there_may_be_none);
	suite_add_tcase(suite, tests);
	return suite;
}
