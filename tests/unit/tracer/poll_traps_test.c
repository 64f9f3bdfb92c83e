/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Poll traps are lifted when no answer has begun. If libpq was unmapped, and
 * other code is mapped and trapped at the place of a poll trap, that trap
 * stays. */
#include "tests/unit/tracer/stage.h"
#include "tests/unit/tracer/suites.h"

#include "tests/unit/checks.h"
#include "tracer/model/tracepoint.h"
#include "tracer/queries/poll_traps.h"

#include <stdlib.h>
#include <unistd.h>

TARGET static int
unit_waiting(int number)
{
	return number + 1;
}

static void
wait_once(void)
{
	if (unit_waiting(1) != 2)
		_exit(1);
}

static const char waiting[] = "set \"calls\";\n"
			      "int unit_waiting(int number);\n"
			      "probe unit_waiting { show number; }\n";

static struct stage stage;

static struct hit
hit_of(addr_t address)
{
	struct hit hit = { .session = &stage.session };
	size_t cursor = 0;
	void *item;

	ck_assert(map_next(&stage.session.programs, &cursor, NULL, &item));
	hit.program = item;
	hit.site = sites_find(&hit.program->sites, address);
	ck_assert_ptr_nonnull(hit.site);
	cursor = 0;
	ck_assert(map_next(&stage.session.records, &cursor, NULL, &item));
	hit.record = item;
	return hit;
}

START_TEST(only_poll_traps_are_lifted)
{
	static const struct {
		enum tracepoint_kind kind;
		bool waits, lifted;
	} rows[] = {
		{ TRACEPOINT_SOCKET, true, true },
		{ TRACEPOINT_SOCKET, false, false },
		{ TRACEPOINT_PROBED, true, false },
	};
	const addr_t address = (addr_t)(uintptr_t)unit_waiting;

	stage_open(&stage, "--set stage.conf", waiting, wait_once);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct hit hit = hit_of(address);
		struct tracepoint *tracepoint = hit.site->user;
		const struct tracepoint before = *tracepoint;

		tracepoint->kind = rows[i].kind;
		tracepoint->waits = rows[i].waits;
		poll_traps_add(hit.program, address);
		poll_traps_add(hit.program, address + 0x10); /* unmapped */
		poll_traps_hit(&hit);
		ck_assert_int_eq(site_owned(hit.site, SITE_OWNER_CALL),
				 !rows[i].lifted);
		poll_traps_plant(hit.program);
		ck_assert(site_owned(hit.site, SITE_OWNER_CALL));
		*tracepoint = before;
	}
	stage_run(&stage);
	free(stage_close(&stage));
}
END_TEST

/* The parent has no poll traps any more. */
START_TEST(a_child_copies_an_empty_list)
{
	const addr_t address = (addr_t)(uintptr_t)unit_waiting;
	struct program child = { 0 };
	struct hit hit;

	stage_open(&stage, "--set stage.conf", waiting, wait_once);
	hit = hit_of(address);
	poll_traps_add(hit.program, address + 0x10); /* unmapped */
	poll_traps_hit(&hit);
	poll_traps_life.copied(&child, hit.program);
	ck_assert_ptr_null(child.poll_traps);
	stage_run(&stage);
	free(stage_close(&stage));
}
END_TEST

Suite *
poll_traps_suite(void)
{
	Suite *suite = suite_create("tracer/poll_traps");
	TCase *tests = tcase_create("poll_traps");

	tcase_add_test(tests, only_poll_traps_are_lifted);
	tcase_add_test(tests, a_child_copies_an_empty_list);
	suite_add_tcase(suite, tests);
	return suite;
}
