/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the model that need no process. */
#include "tests/unit/tracer/suites.h"

#include "base/attr.h"
#include "base/clock.h"
#include "base/err.h"
#include "base/log.h"
#include "conf/parse/condition.h"
#include "tracer/model/clockwork.h"
#include "tracer/model/interest.h"
#include "tracer/model/rehits.h"
#include "tracer/model/say.h"
#include "tracer/model/session.h"
#include "tracer/model/spans.h"
#include "tests/unit/checks.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* ---- hits that come again --------------------------------------------------
 */

#define LOW UINT64_C(0x7000)
#define HIGH UINT64_C(0x8000)

static struct rehits rehits;

static struct regs
at(addr_t pc, addr_t sp)
{
	return (struct regs){ .gpr = { .rip = pc, .rsp = sp } };
}

static void
seen(addr_t pc, addr_t sp)
{
	const struct regs regs = at(pc, sp);

	rehits_add(&rehits, &regs);
}

static bool
again(addr_t pc, addr_t sp)
{
	const struct regs regs = at(pc, sp);

	return rehits_take(&rehits, &regs, LOW, HIGH);
}

START_TEST(a_hit_that_was_seen_is_no_new_one)
{
	rehits.count = 0;
	ck_assert(!again(1, 0x7800));
	seen(1, 0x7800);
	/*
	 * A hit of another site, or a later hit with another stack pointer, is
	 * not the same hit.
	 */
	ck_assert(!again(2, 0x7800));
	rehits.count = 0;
	seen(1, 0x7800);
	ck_assert(!again(1, 0x7700));
	ck_assert(again(1, 0x7800));
	ck_assert(!again(1, 0x7800));
}
END_TEST

START_TEST(what_a_trap_sets_is_not_looked_at)
{
	struct regs regs = at(1, 0x7800);

	rehits.count = 0;
	seen(1, 0x7800);
	regs.gpr.eflags ^= 0x10100; /* TF, RF */
	regs.gpr.orig_rax = (uint64_t)-1;
	ck_assert(rehits_take(&rehits, &regs, LOW, HIGH));
	seen(1, 0x7800);
	regs.gpr.eflags ^= 1;
	ck_assert(!rehits_take(&rehits, &regs, LOW, HIGH));
}
END_TEST

START_TEST(handlers_within_handlers)
{
	rehits.count = 0;
	seen(1, 0x7800);
	seen(2, 0x7600);
	seen(3, 0x7400);
	ck_assert(again(3, 0x7400));
	ck_assert(again(2, 0x7600));
	ck_assert(again(1, 0x7800));
	ck_assert_uint_eq(rehits.count, 0);
}
END_TEST

START_TEST(what_is_below_on_the_stack_never_comes)
{
	rehits.count = 0;
	seen(1, 0x7800);
	seen(2, 0x7400);
	/*
	 * The handler that began last was left by longjmp, so its hit does not
	 * come again.
	 */
	ck_assert(!again(5, 0x7600));
	ck_assert_uint_eq(rehits.count, 1);
	ck_assert(again(1, 0x7800));
	/* A hit on another stack than the thread's own may come again later. */
	seen(1, 0x100);
	ck_assert(!again(5, 0x7600));
	ck_assert(again(1, 0x100));
}
END_TEST

START_TEST(there_are_never_too_many)
{
	rehits.count = 0;
	for (addr_t i = 0; i < 3 * REHITS_MOST; i++)
		seen(1, HIGH - 8 - 8 * i);
	ck_assert_uint_le(rehits.count, REHITS_MOST);
	ck_assert(again(1, HIGH - 8 - 8 * (3 * REHITS_MOST - 1)));
}
END_TEST

/* ---- spans -----------------------------------------------------------------
 */

START_TEST(the_oldest_span_ends_first)
{
	struct call_span *first, *second, *other;
	struct spans spans;

	spans_init(&spans, 3);
	first = spans_begin(&spans, "1/a", 10);
	second = spans_begin(&spans, "1/a", 20);
	other = spans_begin(&spans, "2/a", 30);
	ck_assert_ptr_null(spans_begin(&spans, "1/b", 40));
	ck_assert_ptr_eq(spans_oldest(&spans, "1/a"), first);
	ck_assert_uint_eq(first->began, 10);
	spans_end(&spans, first);
	ck_assert_ptr_eq(spans_oldest(&spans, "1/a"), second);
	ck_assert_ptr_null(spans_oldest(&spans, "1/"));
	ck_assert_ptr_eq(spans_beginning(&spans, "1/"), second);
	ck_assert_ptr_eq(spans_beginning(&spans, "2"), other);
	ck_assert_ptr_null(spans_beginning(&spans, "3"));
	ck_assert(!spans_answered(&spans, "1/"));
	other->answered = true;
	ck_assert(!spans_answered(&spans, "1/"));
	ck_assert(spans_answered(&spans, "2/"));
	ck_assert_ptr_nonnull(spans_begin(&spans, "1/b", 40));
	spans_release(&spans);
}
END_TEST

/* ---- sentences -------------------------------------------------------------
 */

static int heard = -1;

static void
hear(void)
{
	heard = memfd_create("heard", 0);
	ck_assert_int_ge(heard, 0);
	ck_assert_int_eq(dup2(heard, STDERR_FILENO), STDERR_FILENO);
}

static void
expect_heard(const char *expected)
{
	char text[4096] = "";

	ck_assert_int_ge(pread(heard, text, sizeof(text) - 1, 0), 0);
	ck_assert_str_eq(text, expected);
	ck_assert_int_eq(ftruncate(heard, 0), 0);
	lseek(STDERR_FILENO, 0, SEEK_SET);
}

START_TEST(a_sentence_is_a_line)
{
	struct err err = { "" };

	hear();
	say("process %d: %s", 7, "a\x1b[1m");
	expect_heard("xtrace: process 7: a\\033[1m\n");
	ck_assert_int_eq(err_set(&err, -EINVAL, "no %s", "f"), -EINVAL);
	say_error(&err);
	expect_heard("xtrace: no f\n");
}
END_TEST

START_TEST(a_few_functions_are_named)
{
	struct session session = { 0 };

	hear();
	session.counts.refused = 1;
	say_refused(&session, "f", "libfoo.so", "it is too short");
	expect_heard("xtrace: f@libfoo.so is not traced: it is too short\n");
	session.counts.refused = 10;
	say_refused(&session, "g", "libfoo.so", NULL);
	expect_heard("xtrace: g@libfoo.so is not traced: it cannot be\n");
	session.counts.refused = 11;
	say_refused(&session, "h", "libfoo.so", NULL);
	expect_heard("xtrace: further functions that cannot be traced are "
		     "counted by --stats\n");
	session.counts.refused = 12;
	say_refused(&session, "i", "libfoo.so", NULL);
	expect_heard("");
}
END_TEST

START_TEST(what_is_scarce_is_said_once)
{
	struct session session = { 0 };

	hear();
	say_scarce(&session, -ENOENT);
	expect_heard("");
	say_scarce(&session, -EMFILE);
	expect_heard("xtrace: a file that is mapped cannot be read, its "
		     "functions are not traced: Too many open files\n");
	say_scarce(&session, -ENOMEM);
	expect_heard("");
	strmap_release(&session.said);
}
END_TEST

START_TEST(a_confined_process_is_named_once)
{
	struct session session = { 0 };
	struct space space = { .pid = 7 };
	struct program program = { .session = &session, .space = &space };

	hear();
	say_confined(&program);
	expect_heard("");
	program.sites.survive.refused = true;
	say_confined(&program);
	say_confined(&program);
	expect_heard("xtrace: process 7: its seccomp policy does not allow "
		     "system calls that xtrace injects: a function is traced "
		     "only if there is room behind its module's text, and "
		     "if xtrace is killed, only the watcher lifts the "
		     "traps\n");
	session.counts.confined = 10;
	program.said_confined = false;
	say_confined(&program);
	expect_heard("");
	ck_assert_uint_eq(session.counts.confined, 11);
}
END_TEST

/* ---- the clockwork ---------------------------------------------------------
 */

static struct clockwork clockwork;

/* The tracing thread: handles signals until it is told to leave. */
static void *
trace(void *argument)
{
	struct timespec long_time = { .tv_sec = 1000 };

	clockwork_begin(&clockwork);
	while (!atomic_load(&clockwork.leave))
		nanosleep(&long_time, NULL);
	if (argument)
		clockwork_break(&clockwork);
	else
		clockwork_finish(&clockwork);
	return NULL;
}

static void
run_clockwork(bool has_command, uint64_t duration, void *argument)
{
	clockwork_init(&clockwork, has_command, duration);
	ck_assert_int_eq(pthread_create(&clockwork.tracing, NULL, trace,
					argument),
			 0);
	clockwork_run(&clockwork);
	pthread_join(clockwork.tracing, NULL);
	clockwork_end(&clockwork);
}

START_TEST(a_signal_ends_the_run)
{
	clockwork_init(&clockwork, false, 0);
	kill(getpid(), SIGTERM);
	run_clockwork(false, 0, NULL);
	ck_assert_int_eq(clockwork.ended_by, SIGTERM);
	ck_assert(atomic_load(&clockwork.finished));
}
END_TEST

START_TEST(time_ends_the_run)
{
	uint64_t began = clock_now();

	run_clockwork(false, CLOCK_SECOND / 20, NULL);
	ck_assert_int_eq(clockwork.ended_by, 0);
	ck_assert_uint_ge(clock_now() - began, CLOCK_SECOND / 20);
	/* The tracing thread has crashed instead of finishing. */
	run_clockwork(false, 1, &clockwork);
	ck_assert_int_ne(atomic_load(&clockwork.broken), 0);
}
END_TEST

static void *
interrupt(void *argument)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	sigset_t pending;

	(void)argument;
	/* xtrace leaves the first SIGINT to the traced command. */
	kill(getpid(), SIGINT);
	while (atomic_load(&clockwork.interrupts) == 0)
		nanosleep(&nap, NULL);
	/* SIGUSR1 asks for the kept debug output. Of two pending signals, the
	 * lower number comes first. */
	kill(getpid(), SIGUSR1);
	do {
		nanosleep(&nap, NULL);
		sigpending(&pending);
	} while (sigismember(&pending, SIGUSR1));
	kill(getpid(), SIGINT);
	return NULL;
}

START_TEST(the_second_interrupt_ends_the_run)
{
	pthread_t thread;

	hear();
	/* The signals are blocked in all threads. */
	clockwork_init(&clockwork, true, 0);
	ck_assert_int_eq(pthread_create(&thread, NULL, interrupt, NULL), 0);
	run_clockwork(true, 0, NULL);
	pthread_join(thread, NULL);
	ck_assert_int_eq(clockwork.ended_by, SIGINT);
}
END_TEST

/* ---- conditions ---------------------------------------------------------- */

/* 8 us are shown, and the call may have taken 12 us. */
START_TEST(a_duration_that_is_not_exact)
{
	static const struct {
		const char *text;
		bool exact, holds;
	} rows[] = {
		{ "duration > 10us", false, true },
		{ "duration > 12us", false, false },
		{ "duration < 10us", true, true },
		{ "duration < 8us", false, false },
		{ "!(duration < 10us)", false, true },
		{ "depth == 0", true, true },
	};

	for (size_t i = 0; i < array_size(rows); i++) {
		const struct event_call exact = { .duration = 8000 };
		const struct event_call call = { .duration = 8000,
						 .older = 4000 };
		struct condition *condition;
		struct err err = { 0 };
		size_t column;

		ck_assert_int_eq(condition_parse(rows[i].text, &condition,
						 &column, &err),
				 0);
		ck_assert_int_eq(interest_holds(condition, &exact),
				 rows[i].exact);
		ck_assert_int_eq(interest_holds(condition, &call),
				 rows[i].holds);
		condition_free(condition);
	}
}
END_TEST

/* ---- durations -------------------------------------------------------------
 */

/* A thread is held from 1000 to 1300. Its call began at 500 and ends at 2000.
 * If xtrace does not know the thread any more, it does not know for how long
 * the thread was held. */
START_TEST(how_long_a_thread_was_held)
{
	static struct options options;
	static struct session session = { .options = &options };
	struct thread thread = { .held = { .off = 300, .unsure = 70 } };
	struct event_call event = { .began = 500,
				    .began_own = 500,
				    .began_track = 500,
				    .began_unsure = 20 };

	session_measure(&session, &thread, 2000, &event);
	ck_assert_int_eq(event.duration, 1200);
	ck_assert_uint_eq(event.wall, 1500);
	ck_assert_uint_eq(event.uncertainty, 50);
	session_measure(&session, NULL, 2000, &event);
	ck_assert_int_eq(event.duration, 1500);
	ck_assert_uint_eq(event.uncertainty, 1500);
	event.uncertainty = 0;
	options.wall = true;
	session_measure(&session, &thread, 2000, &event);
	ck_assert_int_eq(event.duration, 1500);
	ck_assert_uint_eq(event.uncertainty, 0);
}
END_TEST

Suite *
model_suite(void)
{
	Suite *suite = suite_create("tracer/model");
	TCase *tests = tcase_create("model");

	tcase_add_test(tests, a_hit_that_was_seen_is_no_new_one);
	tcase_add_test(tests, what_a_trap_sets_is_not_looked_at);
	tcase_add_test(tests, handlers_within_handlers);
	tcase_add_test(tests, what_is_below_on_the_stack_never_comes);
	tcase_add_test(tests, there_are_never_too_many);
	tcase_add_test(tests, the_oldest_span_ends_first);
	tcase_add_test(tests, a_sentence_is_a_line);
	tcase_add_test(tests, a_few_functions_are_named);
	tcase_add_test(tests, what_is_scarce_is_said_once);
	tcase_add_test(tests, a_confined_process_is_named_once);
	tcase_add_test(tests, a_signal_ends_the_run);
	tcase_add_test(tests, time_ends_the_run);
	tcase_add_test(tests, the_second_interrupt_ends_the_run);
	tcase_add_test(tests, a_duration_that_is_not_exact);
	tcase_add_test(tests, how_long_a_thread_was_held);
	suite_add_tcase(suite, tests);
	return suite;
}
