/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which threads get a virtual mask at the attach. */
#include "arch/arch.h"
#include "tests/unit/live/tracee.h"
#include "tests/unit/tracer/masked.h"
#include "tests/unit/tracer/suites.h"

#include "process/resume.h"
#include "process/status.h"
#include "tests/unit/checks.h"
#include "tracer/sigtrap/sigtrap_parts.h"

#include <sys/syscall.h>

static volatile uint64_t turns;

static void
spin(void)
{
	for (;;)
		turns++;
}

static uint64_t
in_proc(void)
{
	struct status status;

	ck_assert_int_eq(status_read(masked.stage.pid, &status), 0);
	return status.blocked;
}

/* The copy blocks in a read, which the kernel continues. */
static void
attach_with(uint64_t mask)
{
	masked_set(mask);
	thread_resume(&masked.stage.session.table, masked.thread, 0);
	tracee_await_blocked(masked.stage.pid, SYS_read);
	virtual_mask_attach(&masked.stage.session, masked.thread->process);
}

START_TEST(attaches)
{
	masked_open_stopped();
	attach_with(TRAP_BIT);
	ck_assert_msg(!masked.own->on && in_proc() == TRAP_BIT, "one signal");
	ck_assert(!virtual_mask_may_end(masked.record));
	masked_stop();
	masked_catches(true);
	attach_with(ALL);
	masked_catches(false);
	ck_assert_msg(!masked.own->on && in_proc() == ALL,
		      "it catches SIGTRAP");
	masked_stop();
	attach_with(ALL);
	ck_assert(masked.own->on && masked.own->again);
	ck_assert_uint_eq(in_proc(), REAL);
	ck_assert(virtual_mask_may_end(masked.record));
	masked_stop();
	masked_close();
}
END_TEST

static bool
spins(void)
{
	uint64_t count;

	ck_assert_int_eq(reader_u64(program_memory(masked.program),
				    (addr_t)(uintptr_t)&turns, &count),
			 0);
	return count > 0;
}

static void
attach_running(uint64_t mask)
{
	struct blocked blocked = { .running = false };

	masked_set(mask);
	thread_resume(&masked.stage.session.table, masked.thread, 0);
	while (!blocked.running || !spins())
		ck_assert_int_eq(status_blocked(arch_of_host(),
						masked.stage.pid,
						masked.stage.pid, &blocked),
				 0);
	virtual_mask_attach(&masked.stage.session, masked.thread->process);
}

/* A thread that runs with the mask of the C library is in a clone. */
START_TEST(attaches_to_one_that_runs)
{
	masked_open(spin);
	masked_stop();
	sites_lift_all(&masked.program->sites);
	tracee_open_gate();
	attach_running(ALL);
	ck_assert_msg(masked.own->again && masked.own->stops > 0, "later");
	ck_assert(!masked.own->on);
	masked_stop();
	ck_assert_uint_eq(masked_in_kernel(), ALL);
	masked.own->again = false;
	masked.own->stops = 0;
	attach_running(ALL & ~LIBRARY);
	ck_assert(masked.own->on && masked.own->again);
	masked_stop();
	ck_assert_uint_eq(masked_in_kernel(), REAL & ~LIBRARY);
	masked_close();
}
END_TEST

Suite *
virtual_mask_attach_suite(void)
{
	Suite *suite = suite_create("virtual masks at the attach");
	TCase *live = tcase_create("live");

	tcase_set_timeout(live, 60);
	tcase_add_test(live, attaches);
	tcase_add_test(live, attaches_to_one_that_runs);
	suite_add_tcase(suite, live);
	return suite;
}
