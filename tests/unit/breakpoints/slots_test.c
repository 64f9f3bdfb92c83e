/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Room for slots: taken, given back, and mapped into a tracee. */
#include "arch/arch.h"
#include "breakpoints/slots/slots.h"
#include "tests/unit/breakpoints/suites.h"
#include "tests/unit/live/tracee.h"

#include "arch/x86_64/stub.h"
#include "base/attr.h"
#include "breakpoints/outlive/inside/inside.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TEXT UINT64_C(0x400000)
#define GIB (UINT64_C(1) << 30)

static struct slots slots;

static void
setup(void)
{
	slots.reach = arch_of_host()->reach;
	slots.top = arch_of_host()->top;
}

static void
teardown(void)
{
	slots_release(&slots);
}

static void
add_region(addr_t start, uint64_t size, uint64_t used)
{
	struct region region = { .start = start, .size = size, .used = used };

	vec_push(&slots.regions, region);
}

START_TEST(slots_lie_side_by_side)
{
	add_region(TEXT, 256, 16);
	ck_assert_uint_eq(slots_free(&slots, TEXT), 240);
	ck_assert_uint_eq(slots_take(&slots, TEXT, 17), TEXT + 16);
	ck_assert_uint_eq(slots_take(&slots, TEXT, 64), TEXT + 48);
	/* The unused part of the last taken room is free again. */
	slots_trim(&slots, TEXT + 48, 64, 10);
	ck_assert_uint_eq(slots_take(&slots, TEXT, 1), TEXT + 64);
	slots_trim(&slots, TEXT + 64, 1, 0);
	ck_assert_uint_eq(slots_take(&slots, TEXT, 64), TEXT + 64);
	/* The slot at TEXT + 16 is not the last one, so nothing is trimmed. */
	slots_trim(&slots, TEXT + 16, 17, 0);
	ck_assert_uint_eq(slots_take(&slots, TEXT, 128), TEXT + 128);
	ck_assert_uint_eq(slots_take(&slots, TEXT, 1), 0);
	ck_assert_uint_eq(slots_free(&slots, TEXT), 0);
}
END_TEST

START_TEST(a_slot_is_within_reach)
{
	add_region(TEXT, 4096, 0);
	add_region(TEXT + 8 * GIB, 4096, 0);
	ck_assert_uint_eq(slots_take(&slots, TEXT + GIB, 16), TEXT);
	ck_assert_uint_eq(slots_take(&slots, TEXT + 9 * GIB, 16),
			  TEXT + 8 * GIB);
	ck_assert_uint_eq(slots_take(&slots, TEXT + 7 * GIB, 16),
			  TEXT + 8 * GIB + 16);
	ck_assert_uint_eq(slots_take(&slots, TEXT + 4 * GIB, 16), 0);
	ck_assert_uint_eq(slots_free(&slots, TEXT + 4 * GIB), 0);
	ck_assert(slots_cover(&slots, TEXT + 4095));
	ck_assert(!slots_cover(&slots, TEXT + 4096));
	ck_assert(!slots_cover(&slots, TEXT - 1));
}
END_TEST

START_TEST(slots_are_used_again_in_their_order)
{
	add_region(TEXT, 4096, 0);
	for (addr_t at = 0; at < 8; at++)
		slots_give(&slots, TEXT + at * 32, 20);
	ck_assert_uint_eq(slots_take_given(&slots, TEXT, 10), 0);
	ck_assert_uint_eq(slots_take_given(&slots, TEXT + 8 * GIB, 32), 0);
	for (addr_t at = 0; at < 6; at++)
		ck_assert_uint_eq(slots_take_given(&slots, TEXT, 32),
				  TEXT + at * 32);
	/*
	 * The entries of slots that were taken again are removed from the list.
	 */
	slots_give(&slots, TEXT + 1024, 32);
	for (addr_t at = 6; at < 8; at++)
		ck_assert_uint_eq(slots_take_given(&slots, TEXT, 32),
				  TEXT + at * 32);
	ck_assert_uint_eq(slots_take_given(&slots, TEXT, 32), TEXT + 1024);
	ck_assert_uint_eq(slots_take_given(&slots, TEXT, 32), 0);
	/* A slot that is in no region is not used. */
	slots_give(&slots, TEXT + 8192, 32);
	ck_assert_uint_eq(slots_take_given(&slots, TEXT, 32), 0);
}
END_TEST

/* ---- slack -----------------------------------------------------------------
 */

static uint8_t slack[2][256];

static struct tally tally;

START_TEST(slack_is_taken_once)
{
	struct space *space = space_new(getpid(), &tally);
	struct err err = { "" };
	struct slots copy;
	addr_t at = (addr_t)slack[0];

	ck_assert_int_eq(space_open(space, &err), 0);
	memset(slack, 0x90, sizeof(slack));
	slots_offer_slack(&slots, at, 256);
	slots_offer_slack(&slots, (addr_t)slack[1], 256);
	slots_offer_slack(&slots, 16, 4096); /* unreadable */
	slots_offer_slack(&slots, TEXT, 63); /* too small */
	ck_assert_uint_eq(slots.slack.count, 3);
	slots.scratch = at;
	ck_assert_int_eq(slots_take_slack(&slots, space), 0);
	ck_assert_int_eq(slots_take_slack(&slots, space), -ENOSPC);
	ck_assert_uint_eq(slots.scratch, 0);
	ck_assert_uint_eq(slots.regions.count, 2);
	ck_assert_uint_ne(slots_take(&slots, at, 100), 0);
	memset(slack, 0, sizeof(slack));
	slots_copy(&copy, &slots);
	slots_restore_slack(&slots, space);
	/* Only the bytes of the slack that had slots are restored. */
	ck_assert_uint_eq(slack[1][111], 0x90);
	ck_assert_uint_eq(slack[1][112], 0);
	ck_assert_uint_eq(slack[0][0], 0);
	slots_forget_slack(&slots, at, at + 256);
	ck_assert_uint_eq(slots.regions.count, 1);
	ck_assert_uint_eq(slots.slack.count, 2);
	ck_assert_uint_eq(copy.regions.count, 2);
	slots_release(&copy);
	space_unref(space);
}
END_TEST

START_TEST(a_copy_has_what_was_given)
{
	struct slots copy;

	add_region(TEXT, 4096, 512);
	for (addr_t at = 0; at < 4; at++)
		slots_give(&slots, TEXT + at * 16, 16);
	ck_assert_uint_eq(slots_take_given(&slots, TEXT, 16), TEXT);
	slots.scratch = 5;
	slots.planned = 6;
	slots_copy(&copy, &slots);
	ck_assert_uint_eq(copy.scratch, 5);
	ck_assert_uint_eq(copy.planned, 6);
	ck_assert_uint_eq(slots_take_given(&copy, TEXT, 16), TEXT + 16);
	ck_assert_uint_eq(slots_take_given(&slots, TEXT, 16), TEXT + 16);
	ck_assert_uint_eq(slots_take(&copy, TEXT, 16), TEXT + 512);
	slots_release(&copy);
}
END_TEST

/* ---- mapped by a tracee ----------------------------------------------------
 */

static struct tracee tracee;
static struct inside_region plan;

static void
end_tracee(void)
{
	slots_release(&slots);
	tracee_end(&tracee);
}

static addr_t
near_code(void)
{
	return (addr_t)(uintptr_t)near_code;
}

static void
start_tracee(void)
{
	void *code = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ck_assert_ptr_ne(code, MAP_FAILED);
	tracee_start(&tracee, tracee_pause);
	tracee_stop(&tracee);
	slots.scratch = (addr_t)code;
	slots.planned = (addr_t)&plan;
}

static int
map(uint64_t size)
{
	return slots_map(&slots, &tracee.table, tracee.thread, near_code(),
			 size);
}

static bool
is_code(addr_t address)
{
	struct maps maps;
	const struct mapping *m;
	bool is;

	maps_init(&maps);
	ck_assert_int_eq(maps_read(&maps, tracee.pid), 0);
	m = maps_covering(&maps, address);
	is = m && m->executable && !m->writable && !m->path[0];
	maps_release(&maps);
	return is;
}

START_TEST(each_region_is_twice_as_large)
{
	uint64_t size = 0x8000;
	struct inside_region planned;
	addr_t slot;

	start_tracee();
	for (int i = 0; i < 3; i++, size *= 2) {
		const struct region *region;

		ck_assert_int_eq(map(100), 0);
		region = &slots.regions.at[i];
		ck_assert_uint_eq(region->size, size);
		ck_assert(is_code(region->start));
		ck_assert(is_code(region->start + size - 1));
		ck_assert_uint_eq(slots.scratch, region->start);
		/*
		 * The plan of the region is in the tracee, so a later xtrace
		 * would find the region if this xtrace were killed now.
		 */
		ck_assert_int_eq(space_read_raw(tracee.process->space,
						(addr_t)&plan, &planned,
						sizeof(planned)),
				 0);
		ck_assert_uint_eq(planned.start, region->start);
		ck_assert_uint_eq(planned.size, size);
	}
	slot = slots_take(&slots, near_code(), 64);
	ck_assert_uint_eq(slot, slots.regions.at[2].start + STUB_ROOM);
	ck_assert_int_eq(map(0x100000), 0);
	ck_assert_uint_ge(slots_free(&slots, near_code()), 0x100000);
}
END_TEST

START_TEST(without_a_place_for_the_stub_nothing_is_mapped)
{
	start_tracee();
	slots.scratch = 0;
	ck_assert_int_eq(map(100), -ENOENT);
	slots.scratch = 16;
	ck_assert_int_eq(map(100), -EFAULT);
	slots.planned = 16;
	ck_assert_int_eq(map(100), -EFAULT);
	ck_assert_uint_eq(slots.regions.count, 0);
}
END_TEST

START_TEST(the_handler_area_names_each_region)
{
	const struct region full = { .start = 0x10000, .size = 0x1000 };

	start_tracee();
	while (slots.regions.count < INSIDE_REGIONS - 1)
		vec_push(&slots.regions, full);
	ck_assert_int_eq(map(100), 0);
	ck_assert_int_eq(map(100), -ENOSPC);
	ck_assert_uint_eq(slots.regions.count, INSIDE_REGIONS);
}
END_TEST

START_TEST(a_survey_may_be_outdated)
{
	addr_t gap, again;

	start_tracee();
	slots_survey(&slots, tracee.pid);
	ck_assert(slots.surveyed);
	ck_assert_int_eq(slots_gap(&slots, tracee.pid, near_code(), 0x8000,
				   &gap),
			 0);
	/* The survey has noted that the first gap is in use. */
	ck_assert_int_eq(slots_gap(&slots, tracee.pid, near_code(), 0x8000,
				   &again),
			 0);
	ck_assert_uint_ne(gap, again);
	ck_assert(!slots_refused(&slots, 0));
	ck_assert(!slots_refused(&slots, -EPERM));
	ck_assert(!slots_refused(&slots, -ENOSPC));
	ck_assert(slots.surveyed);
	ck_assert(slots_refused(&slots, -EEXIST));
	ck_assert(!slots.surveyed);
	ck_assert(!slots_refused(&slots, 0));
	/*
	 * With an empty survey every address looks free, so the chosen gap is
	 * in use.
	 */
	slots.surveyed = true;
	maps_init(&slots.survey);
	maps_add(&slots.survey, near_code() + 0x200000, near_code() + 0x201000);
	ck_assert_int_eq(map(100), 0);
	ck_assert(is_code(slots.regions.at[0].start));
	slots_drop_survey(&slots);
	ck_assert_int_eq(slots_gap(&slots, 5000000, near_code(), 0x8000, &gap),
			 -ESRCH);
	ck_assert_int_eq(slots_gap(&slots, tracee.pid, near_code(),
				   UINT64_C(0x100000000), &gap),
			 -ENOSPC);
}
END_TEST

/* The program maps memory between the reading of its mappings and the injected
 * call: the next gap is farther away. */
START_TEST(a_refused_gap_is_sought_elsewhere)
{
	addr_t gap, last;
	unsigned times = 0;

	start_tracee();
	ck_assert_int_eq(slots_gap(&slots, tracee.pid, near_code(), 0x8000,
				   &last),
			 0);
	for (; slots_refused(&slots, -EEXIST); times++, last = gap) {
		ck_assert_int_eq(slots_gap(&slots, tracee.pid, near_code(),
					   0x8000, &gap),
				 0);
		ck_assert_uint_le(gap, last - 0x100000);
	}
	ck_assert_uint_eq(times, 8);
	ck_assert_int_eq(slots_gap(&slots, tracee.pid, near_code(), 0x8000,
				   &gap),
			 0);
	ck_assert_uint_gt(gap, last);
}
END_TEST

Suite *
slots_suite(void)
{
	Suite *suite = suite_create("breakpoints/slots");
	TCase *pure = tcase_create("room"), *live = tcase_create("regions");

	tcase_add_checked_fixture(pure, setup, teardown);
	tcase_add_test(pure, slots_lie_side_by_side);
	tcase_add_test(pure, a_slot_is_within_reach);
	tcase_add_test(pure, slots_are_used_again_in_their_order);
	tcase_add_test(pure, slack_is_taken_once);
	tcase_add_test(pure, a_copy_has_what_was_given);
	suite_add_tcase(suite, pure);
	tcase_add_checked_fixture(live, setup, end_tracee);
	tcase_add_test(live, each_region_is_twice_as_large);
	tcase_add_test(live, without_a_place_for_the_stub_nothing_is_mapped);
	tcase_add_test(live, the_handler_area_names_each_region);
	tcase_add_test(live, a_survey_may_be_outdated);
	tcase_add_test(live, a_refused_gap_is_sought_elsewhere);
	suite_add_tcase(suite, live);
	return suite;
}
