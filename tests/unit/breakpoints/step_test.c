/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Moves threads past a trap, and finds the original pc of a thread in a slot.
 */
#include "breakpoints/step.h"
#include "tests/unit/breakpoints/scene.h"
#include "tests/unit/breakpoints/suites.h"

#include "process/regs.h"

#include <errno.h>

static struct scene scene;

static void
setup(void)
{
	scene_begin(&scene);
}

static void
teardown(void)
{
	scene_end(&scene);
}

static addr_t
pc(void)
{
	return regs_pc(thread_regs(&scene.tracee.table, scene.tracee.thread));
}

static addr_t
sp(void)
{
	return regs_sp(thread_regs(&scene.tracee.table, scene.tracee.thread));
}

static void
past(struct site *site)
{
	ck_assert_int_eq(step_past(&scene.sites, site, scene.tracee.thread), 0);
}

/* Runs the tracee from trap to trap, for some rounds. */
static void
go_on(struct site *site)
{
	for (int i = 0; i < 5; i++) {
		past(site);
		tracee_resume(&scene.tracee, 0);
		tracee_await(&scene.tracee, STOP_TRAP);
		ck_assert_uint_eq(pc(), site->address + 1);
	}
	sites_disown(&scene.sites, site, SITE_OWNER_CALL);
	past(site);
	tracee_resume(&scene.tracee, 0);
	scene_goes_round(&scene);
}

START_TEST(past_an_instruction)
{
	struct site *site = scene_run_to(&scene, scene_add);

	past(site);
	ck_assert_uint_eq(pc(), site->slot);
	go_on(site);
}
END_TEST

START_TEST(past_one_that_does_nothing)
{
	struct site *site = scene_run_to(&scene, scene_nop);

	past(site);
	ck_assert_uint_eq(pc(), site->onward);
	go_on(site);
}
END_TEST

START_TEST(past_a_call)
{
	go_on(scene_run_to(&scene, scene_call));
}
END_TEST

START_TEST(past_one_whose_slot_is_still_to_be_made)
{
	struct planting planting = { .address = (addr_t)scene_add };

	ck_assert_int_eq(sites_plant(&scene.sites, &planting, 1,
				     SITE_OWNER_CALL, NULL),
			 0);
	tracee_resume(&scene.tracee, 0);
	tracee_await(&scene.tracee, STOP_TRAP);
	ck_assert_uint_eq(pc(), planting.address + 1);
	ck_assert_uint_eq(planting.site->slot, 0);
	past(planting.site);
	ck_assert_uint_ne(planting.site->slot, 0);
	ck_assert_uint_eq(pc(), planting.site->slot);
}
END_TEST

START_TEST(one_that_cannot_have_a_slot_is_given_up)
{
	struct planting planting = { .address = (addr_t)scene_add };

	ck_assert_int_eq(sites_plant(&scene.sites, &planting, 1,
				     SITE_OWNER_CALL, NULL),
			 0);
	tracee_resume(&scene.tracee, 0);
	tracee_await(&scene.tracee, STOP_TRAP);
	ck_assert_uint_eq(pc(), planting.address + 1);
	scene.sites.slots.scratch = 0;
	ck_assert_int_eq(step_past(&scene.sites, planting.site,
				   scene.tracee.thread),
			 -ENOENT);
	ck_assert_uint_eq(pc(), planting.address);
	ck_assert_uint_eq(scene_raw(&scene, scene_add), (uint8_t)*scene_add);
	tracee_resume(&scene.tracee, 0);
	scene_goes_round(&scene);
}
END_TEST

/* ---- in a slot -------------------------------------------------------------
 */

START_TEST(a_pc_in_no_slot_is_itself)
{
	struct site *site;

	scene_plant(&scene, scene_add);
	ck_assert(!step_unslot(&scene.sites, scene.tracee.thread, &site));
	ck_assert_ptr_null(site);
	ck_assert_int_eq(step_nudge(&scene.sites, scene.tracee.thread), -EBUSY);
	ck_assert(!step_unfinished(&scene.sites, scene.tracee.thread));
}
END_TEST

START_TEST(a_slot_s_beginning_is_the_site)
{
	struct site *site = scene_run_to(&scene, scene_add), *back;

	past(site);
	ck_assert(step_unslot(&scene.sites, scene.tracee.thread, &back));
	ck_assert_ptr_eq(back, site);
	ck_assert_uint_eq(pc(), site->address);
	/* The thread executes the instruction at the site once more, so it hits
	 * the trap again. */
	tracee_resume(&scene.tracee, 0);
	tracee_await(&scene.tracee, STOP_TRAP);
	ck_assert_uint_eq(pc(), site->address + 1);
}
END_TEST

START_TEST(behind_the_instruction_it_is_the_next_one)
{
	struct site *site = scene_run_to(&scene, scene_add), *back;

	past(site);
	ck_assert_int_eq(step_nudge(&scene.sites, scene.tracee.thread), 0);
	tracee_await(&scene.tracee, STOP_STEP);
	ck_assert_uint_ne(pc(), site->slot);
	ck_assert(slots_cover(&scene.sites.slots, pc()));
	ck_assert(step_unslot(&scene.sites, scene.tracee.thread, &back));
	ck_assert_ptr_null(back);
	ck_assert_uint_eq(pc(), site->address + 3);
	tracee_resume(&scene.tracee, 0);
	tracee_await(&scene.tracee, STOP_TRAP);
}
END_TEST

/*
 * A thread stops in a displaced call, after the push of the return address and
 * before the jump.
 */
START_TEST(half_a_call_is_undone)
{
	struct site *site = scene_run_to(&scene, scene_call), *back;
	addr_t before = sp();

	past(site);
	while (!step_unfinished(&scene.sites, scene.tracee.thread)) {
		ck_assert_int_eq(step_nudge(&scene.sites, scene.tracee.thread),
				 0);
		tracee_await(&scene.tracee, STOP_STEP);
		ck_assert(slots_cover(&scene.sites.slots, pc()));
	}
	ck_assert_uint_eq(sp(), before - sizeof(addr_t));
	ck_assert(step_unslot(&scene.sites, scene.tracee.thread, &back));
	ck_assert_ptr_eq(back, site);
	ck_assert_uint_eq(pc(), site->address);
	ck_assert_uint_eq(sp(), before);
	tracee_resume(&scene.tracee, 0);
	tracee_await(&scene.tracee, STOP_TRAP);
	ck_assert_uint_eq(pc(), site->address + 1);
}
END_TEST

/*
 * For a slot that an earlier xtrace has left, its site is found in the table.
 */
START_TEST(a_slot_that_was_left)
{
	struct site *site = scene_run_to(&scene, scene_add), *back;
	addr_t address = site->address;

	past(site);
	/* xtrace has no record of this site. */
	site->slot_length = 0;
	ck_assert(step_unslot(&scene.sites, scene.tracee.thread, &back));
	ck_assert_ptr_null(back);
	ck_assert_uint_eq(pc(), address);
}
END_TEST

Suite *
step_suite(void)
{
	Suite *suite = suite_create("breakpoints/step");
	TCase *tests = tcase_create("step");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, past_an_instruction);
	tcase_add_test(tests, past_one_that_does_nothing);
	tcase_add_test(tests, past_a_call);
	tcase_add_test(tests, past_one_whose_slot_is_still_to_be_made);
	tcase_add_test(tests, one_that_cannot_have_a_slot_is_given_up);
	tcase_add_test(tests, a_pc_in_no_slot_is_itself);
	tcase_add_test(tests, a_slot_s_beginning_is_the_site);
	tcase_add_test(tests, behind_the_instruction_it_is_the_next_one);
	tcase_add_test(tests, half_a_call_is_undone);
	tcase_add_test(tests, a_slot_that_was_left);
	suite_add_tcase(suite, tests);
	return suite;
}
