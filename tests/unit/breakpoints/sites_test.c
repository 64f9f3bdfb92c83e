/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Traps in a tracee: planted, lifted, refused, copied and dropped. */
#include "breakpoints/sites.h"
#include "tests/unit/breakpoints/scene.h"
#include "tests/unit/breakpoints/suites.h"

#include "base/attr.h"
#include "breakpoints/step.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define TRAP 0xcc

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

/* The original byte at the address, read from this process, which has no
 * traps. */
static uint8_t
original(const char *address)
{
	return (uint8_t)*address;
}

static void
check_planted(const char *address, bool planted)
{
	ck_assert_uint_eq(scene_raw(&scene, address),
			  planted ? TRAP : original(address));
	ck_assert_uint_eq(scene_veiled(&scene, address), original(address));
}

START_TEST(a_trap_is_hidden_from_readers)
{
	struct site *site = scene_plant(&scene, scene_add);

	check_planted(scene_add, true);
	ck_assert(site_owned(site, SITE_OWNER_CALL));
	ck_assert(!site_owned(site, SITE_OWNER_RETURN));
	ck_assert_ptr_eq(sites_find(&scene.sites, site->address), site);
	ck_assert_uint_eq(scene.sites.planted, 1);
	ck_assert_uint_ne(site->slot, 0);
	ck_assert_uint_eq(survive_slot(&scene.sites.survive, site->address),
			  site->slot);
	/* If a trap is planted at the same address again, the result is the
	 * same site. */
	ck_assert_ptr_eq(scene_plant(&scene, scene_add), site);
	ck_assert_uint_eq(scene.sites.planted, 1);
}
END_TEST

START_TEST(a_trap_stays_while_it_has_an_owner)
{
	struct site *site = scene_plant(&scene, scene_add);

	ck_assert_int_eq(sites_own(&scene.sites, site, SITE_OWNER_RETURN), 0);
	sites_disown(&scene.sites, site, SITE_OWNER_CALL);
	check_planted(scene_add, true);
	sites_disown(&scene.sites, site, SITE_OWNER_RETURN);
	check_planted(scene_add, false);
	ck_assert_uint_eq(scene.sites.planted, 0);
	/* The site's record stays, for a thread that has hit the trap. */
	ck_assert_ptr_eq(sites_find(&scene.sites, site->address), site);
	ck_assert_int_eq(sites_own(&scene.sites, site, SITE_OWNER_ONCE), 0);
	check_planted(scene_add, true);
}
END_TEST

START_TEST(a_byte_that_is_not_ours_any_more)
{
	struct site *site = scene_plant(&scene, scene_add);
	const uint8_t other = 0x90;

	/* The program overwrites the trap. */
	ck_assert_int_eq(space_write(scene.sites.space, site->address, &other,
				     1),
			 0);
	sites_disown(&scene.sites, site, SITE_OWNER_CALL);
	ck_assert_uint_eq(scene_raw(&scene, scene_add), other);
	ck_assert_uint_eq(scene.sites.planted, 0);
	ck_assert_int_eq(sites_own(&scene.sites, site, SITE_OWNER_CALL),
			 -ENOTSUP);
	ck_assert_uint_eq(scene_raw(&scene, scene_add), other);
}
END_TEST

START_TEST(many_at_once)
{
	/*
	 * The addresses are not sorted, some are there twice, and some cannot
	 * have a trap.
	 */
	const char *const addresses[] = { scene_call, scene_int3, scene_add,
					  scene_iret, scene_nop,  scene_add,
					  (char *)16 };
	struct planting plantings[array_size(addresses)];

	for (size_t i = 0; i < array_size(addresses); i++)
		plantings[i] =
			(struct planting){ .address = (addr_t)addresses[i] };
	ck_assert_int_eq(sites_plant(&scene.sites, plantings,
				     array_size(addresses), SITE_OWNER_CALL,
				     scene.tracee.thread),
			 0);
	check_planted(scene_call, true);
	check_planted(scene_add, true);
	check_planted(scene_nop, true);
	ck_assert_ptr_eq(plantings[2].site, plantings[5].site);
	ck_assert_uint_eq(scene.sites.planted, 3);
	ck_assert_ptr_null(plantings[1].site);
	ck_assert_str_eq(plantings[1].why,
			 "there is a trap already that is not ours");
	ck_assert_ptr_null(plantings[3].site);
	ck_assert_ptr_nonnull(plantings[3].why);
	ck_assert_ptr_null(plantings[6].site);
	ck_assert_ptr_null(plantings[6].why);
	/* After all traps are lifted, the program runs on. */
	sites_lift_all(&scene.sites);
	check_planted(scene_call, false);
	check_planted(scene_nop, false);
	ck_assert_uint_eq(scene.sites.planted, 0);
	tracee_resume(&scene.tracee, 0);
	scene_goes_round(&scene);
}
END_TEST

START_TEST(without_a_thread_slots_come_later)
{
	struct planting planting = { .address = (addr_t)scene_add };
	const char *why = "";
	struct site *site;

	ck_assert_int_eq(sites_reserve(&scene.sites, &planting, 1, NULL),
			 -EAGAIN);
	ck_assert_int_eq(sites_plant(&scene.sites, &planting, 1,
				     SITE_OWNER_CALL, NULL),
			 0);
	site = planting.site;
	ck_assert_uint_eq(site->slot, 0);
	check_planted(scene_add, true);
	ck_assert_int_eq(sites_make_slot(&scene.sites, site, NULL, &why),
			 -EAGAIN);
	ck_assert_int_eq(sites_make_slot(&scene.sites, site,
					 scene.tracee.thread, &why),
			 0);
	ck_assert_uint_ne(site->slot, 0);
	ck_assert_uint_eq(survive_slot(&scene.sites.survive, site->address),
			  site->slot);
	ck_assert(slots_cover(&scene.sites.slots, site->slot));
}
END_TEST

START_TEST(one_is_refused_with_a_reason)
{
	struct site *site;
	const char *why;

	ck_assert_int_eq(sites_plant_one(&scene.sites, (addr_t)scene_int3,
					 SITE_OWNER_CALL, NULL, &site, &why),
			 -ENOTSUP);
	ck_assert_str_eq(why, "there is a trap already that is not ours");
}
END_TEST

START_TEST(traps_can_be_suspended)
{
	struct site *add = scene_plant(&scene, scene_add);
	const char *why;
	struct site *call, *guard;

	ck_assert_int_eq(sites_plant_one(&scene.sites, (addr_t)scene_nop,
					 SITE_OWNER_GUARD, scene.tracee.thread,
					 &guard, &why),
			 0);
	call = scene_plant(&scene, scene_call);
	sites_suspend(&scene.sites);
	check_planted(scene_add, false);
	check_planted(scene_nop, false);
	check_planted(scene_call, false);
	sites_disown(&scene.sites, add, SITE_OWNER_CALL);
	ck_assert_int_eq(sites_own(&scene.sites, call, SITE_OWNER_ONCE), 0);
	check_planted(scene_call, false);
	sites_resume(&scene.sites);
	check_planted(scene_add, false);
	check_planted(scene_nop, true);
	check_planted(scene_call, true);
	ck_assert(!scene.sites.suspended);
	sites_resume(&scene.sites);
	ck_assert_uint_eq(scene.sites.planted, 2);
}
END_TEST

/* ---- copies ----------------------------------------------------------------
 */

START_TEST(a_fork_copies_the_records)
{
	struct site *site = scene_plant(&scene, scene_add), *twin;
	struct space *space =
		space_new(scene.tracee.pid, &scene.tracee.table.tally);
	struct sites child;

	site->awaited = 5;
	sites_copy(&child, &scene.sites, space);
	twin = sites_find(&child, site->address);
	ck_assert_ptr_ne(twin, site);
	ck_assert_uint_eq(twin->slot, site->slot);
	ck_assert_uint_eq(twin->awaited, 0);
	ck_assert_uint_eq(child.planted, 1);
	ck_assert_uint_eq(child.survive.code, scene.sites.survive.code);
	ck_assert_ptr_eq(space->veil, &child.veil);
	sites_release(&child);
	space_unref(space);
}
END_TEST

START_TEST(the_owners_count_and_not_the_memory)
{
	struct site *lifted = scene_plant(&scene, scene_add);
	struct site *standing = scene_plant(&scene, scene_nop);
	struct site *unwritten = scene_plant(&scene, scene_call);
	const uint8_t trap = TRAP, byte = original(scene_add);
	const struct inside_entry unknown = {
		.site = (uint64_t)(uintptr_t)scene_ret,
		.slot = standing->slot,
		.original = original(scene_ret),
	};

	/* A trap that has no record, but an entry in the handler area. */
	survive_note(&scene.sites.survive, unknown);
	ck_assert_int_eq(survive_flush(&scene.sites.survive, scene.sites.space),
			 0);
	ck_assert_int_eq(space_write(scene.sites.space, (addr_t)scene_ret,
				     &trap, 1),
			 0);
	/* As if the fork had copied the memory before one trap was planted, and
	 * before another trap was lifted. */
	ck_assert_int_eq(space_write(scene.sites.space, lifted->address, &byte,
				     1),
			 0);
	sites_disown(&scene.sites, standing, SITE_OWNER_CALL);
	ck_assert_int_eq(space_write(scene.sites.space, standing->address,
				     &trap, 1),
			 0);
	/* A slot that the handler area does not know. */
	survive_forget(&scene.sites.survive, scene.sites.space,
		       unwritten->address);
	sites_reread(&scene.sites);
	check_planted(scene_add, true);
	check_planted(scene_nop, false);
	ck_assert_uint_ne(standing->slot, 0);
	ck_assert_uint_eq(unwritten->slot, 0);
	ck_assert_uint_eq(scene.sites.planted, 2);
	ck_assert_uint_eq(scene_raw(&scene, scene_ret), original(scene_ret));
}
END_TEST

/* ---- text that is no more --------------------------------------------------
 */

static unsigned dropped_count;

static void
dropped(void *context, struct site *site)
{
	ck_assert_ptr_eq(context, &scene);
	ck_assert_ptr_nonnull(site);
	dropped_count++;
}

START_TEST(what_is_forgotten_is_not_written)
{
	struct site *add = scene_plant(&scene, scene_add);
	addr_t address = add->address, slot = add->slot;
	uint8_t length = add->slot_length;

	scene_plant(&scene, scene_nop);
	sites_forget(&scene.sites, address, address + 1, dropped, &scene);
	ck_assert_uint_eq(dropped_count, 1);
	ck_assert_ptr_null(sites_find(&scene.sites, address));
	ck_assert_uint_eq(scene_raw(&scene, scene_add), TRAP);
	ck_assert_uint_eq(scene.sites.planted, 1);
	ck_assert_uint_eq(survive_slot(&scene.sites.survive, address), 0);
	/* The site's slot and its record are used again for the next site. */
	ck_assert_uint_eq(slots_take_given(&scene.sites.slots, address, length),
			  slot);
	sites_forget(&scene.sites, 0, UINT64_MAX, NULL, NULL);
	ck_assert_uint_eq(scene.sites.planted, 0);
	scene_plant(&scene, scene_call);
}
END_TEST

START_TEST(a_neighbour_gets_a_slot_of_its_own)
{
	/* A one-byte nop is displaced with the ret after it. */
	const char *nop = scene_add + 3;
	struct site *first = scene_plant(&scene, nop), *second;

	ck_assert_uint_eq(original(nop), 0x90);
	ck_assert_uint_gt(first->displaced, 1);
	second = scene_plant(&scene, nop + 1);
	ck_assert_uint_eq(first->slot, 0);
	ck_assert_uint_ne(second->slot, 0);
	/*
	 * If the trap on the ret is planted first, the nop is displaced alone.
	 */
	sites_forget(&scene.sites, first->address, first->address + 1, NULL,
		     NULL);
	ck_assert_int_eq(space_write(scene.sites.space, (addr_t)nop, nop, 1),
			 0);
	first = scene_plant(&scene, nop);
	ck_assert_uint_eq(first->displaced, 1);
	ck_assert(first->ambiguous || first->onward);
}
END_TEST

Suite *
sites_suite(void)
{
	Suite *suite = suite_create("breakpoints/sites");
	TCase *tests = tcase_create("sites");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, a_trap_is_hidden_from_readers);
	tcase_add_test(tests, a_trap_stays_while_it_has_an_owner);
	tcase_add_test(tests, a_byte_that_is_not_ours_any_more);
	tcase_add_test(tests, many_at_once);
	tcase_add_test(tests, without_a_thread_slots_come_later);
	tcase_add_test(tests, one_is_refused_with_a_reason);
	tcase_add_test(tests, traps_can_be_suspended);
	tcase_add_test(tests, a_fork_copies_the_records);
	tcase_add_test(tests, the_owners_count_and_not_the_memory);
	tcase_add_test(tests, what_is_forgotten_is_not_written);
	tcase_add_test(tests, a_neighbour_gets_a_slot_of_its_own);
	suite_add_tcase(suite, tests);
	return suite;
}
