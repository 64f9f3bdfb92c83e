/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The handler area in a tracee: made, taken over, used without a tracer, and
 * unmapped. */
#include "breakpoints/outlive/area.h"
#include "breakpoints/outlive/survive.h"
#include "tests/unit/breakpoints/scene.h"
#include "tests/unit/breakpoints/suites.h"

#include "process/maps.h"
#include "process/regs.h"
#include "process/remote.h"
#include "process/resume.h"
#include "process/status.h"

#include <errno.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>

static struct scene scene;
static struct survive *survive;
static struct slots *slots;

static void
setup(void)
{
	scene_begin(&scene);
	survive = &scene.sites.survive;
	slots = &scene.sites.slots;
}

static void
teardown(void)
{
	scene_end(&scene);
}

static void
make_area(void)
{
	ck_assert_int_eq(survive_begin(survive, slots, &scene.tracee.table,
				       scene.tracee.thread, (addr_t)scene_add),
			 0);
}

static bool
catches_traps(void)
{
	struct status status;

	ck_assert_int_eq(status_read(scene.tracee.pid, &status), 0);
	return status.caught & TRAP_BIT;
}

static bool
is_mapped(addr_t address, bool executable)
{
	const struct mapping *m;
	struct maps maps;
	bool is;

	maps_init(&maps);
	ck_assert_int_eq(maps_read(&maps, scene.tracee.pid), 0);
	m = maps_covering(&maps, address);
	is = m && m->executable == executable && m->writable != executable;
	maps_release(&maps);
	return is;
}

static struct inside_header
header_there(void)
{
	struct inside_header header;

	ck_assert_int_eq(space_read_raw(scene.sites.space, survive->data,
					&header, sizeof(header)),
			 0);
	return header;
}

START_TEST(an_area_is_made)
{
	struct inside_header header;
	addr_t scratch = slots->scratch, note;

	ck_assert(!catches_traps());
	make_area();
	ck_assert(catches_traps());
	ck_assert(is_mapped(survive->code, true));
	ck_assert(is_mapped(survive->data, false));
	ck_assert_uint_ne(slots->scratch, scratch);
	ck_assert(slots_cover(slots, slots->scratch));
	ck_assert_uint_eq(slots->planned,
			  survive->data +
				  offsetof(struct inside_header, planned));
	header = header_there();
	ck_assert_uint_eq(header.magic, INSIDE_MAGIC);
	ck_assert_uint_eq(header.mask, AREA_ENTRIES - 1);
	ck_assert_uint_eq(header.region_count, 1);
	ck_assert_uint_eq(header.regions[0].start, survive->code);
	ck_assert_uint_eq(header.program.handler, (uint64_t)SIG_DFL);
	/* Each thread's nudge has a note of its own. */
	note = survive_nudge_note(survive, 17);
	ck_assert_uint_eq(note, survive_nudge_note(survive, 17 + INSIDE_HELD));
	ck_assert_uint_ne(note, survive_nudge_note(survive, 18));
	tracee_resume(&scene.tracee, 0);
	scene_goes_round(&scene);
}
END_TEST

START_TEST(an_area_that_is_not_possible)
{
	addr_t scratch = slots->scratch;

	slots->scratch = 0;
	ck_assert_int_eq(survive_begin(survive, slots, &scene.tracee.table,
				       scene.tracee.thread, (addr_t)scene_add),
			 -ENOENT);
	slots->scratch = scratch;
	survive->refused = true;
	ck_assert_int_eq(survive_begin(survive, slots, &scene.tracee.table,
				       scene.tracee.thread, (addr_t)scene_add),
			 -EPERM);
	ck_assert_uint_eq(survive->code, 0);
}
END_TEST

/* The program ignored SIGTRAP until the trap that led to the handler area reset
 * its action. */
START_TEST(what_was_ignored_is_ignored)
{
	survive->ignored = true;
	make_area();
	ck_assert_uint_eq(header_there().program.handler, (uint64_t)SIG_IGN);
}
END_TEST

START_TEST(the_table_grows)
{
	addr_t first;

	make_area();
	first = survive->header.table;
	ck_assert_int_eq(survive_room(survive, &scene.tracee.table,
				      scene.tracee.thread, AREA_ENTRIES / 2),
			 0);
	ck_assert_uint_eq(survive->header.table, first);
	for (uint64_t i = 0; i < 100; i++)
		survive_note(survive, (struct inside_entry){ 0x1000 + i, 1 + i,
							     0x90, 0 });
	ck_assert_int_eq(survive_room(survive, &scene.tracee.table,
				      scene.tracee.thread, 2 * AREA_ENTRIES),
			 0);
	ck_assert_uint_ne(survive->header.table, first);
	ck_assert_uint_eq(survive->header.mask, 8 * AREA_ENTRIES - 1);
	ck_assert_uint_eq(header_there().table, survive->header.table);
	ck_assert_uint_eq(header_there().mask, survive->header.mask);
	ck_assert(is_mapped(survive->header.table, false));
	for (uint64_t i = 0; i < 100; i++)
		ck_assert_uint_eq(survive_slot(survive, 0x1000 + i), 1 + i);
	ck_assert_int_eq(survive_room(survive, &scene.tracee.table, NULL,
				      8 * AREA_ENTRIES),
			 -EAGAIN);
}
END_TEST

/* ---- when we are gone ------------------------------------------------------
 */

START_TEST(the_program_runs_past_traps_by_itself)
{
	scene_plant(&scene, scene_add);
	scene_plant(&scene, scene_nop);
	scene_plant(&scene, scene_call);
	ck_assert_int_eq(thread_detach(&scene.tracee.table, scene.tracee.thread,
				       0),
			 0);
	ck_assert_uint_eq(scene_raw(&scene, scene_add), 0xcc);
	scene_goes_round(&scene);
}
END_TEST

/* xtrace ended when the trap of a step was seen and not yet taken: the kernel
 * then delivers it. The program has the default action, which would kill it. */
START_TEST(the_trap_of_a_step_is_no_signal)
{
	const struct regs *regs =
		thread_regs(&scene.tracee.table, scene.tracee.thread);
	siginfo_t info;

	/* If the thread has stopped at scene_add, a step from there would run
	 * into the trap. */
	scene_plant(&scene,
		    regs_pc(regs) == (addr_t)scene_add ? scene_nop : scene_add);
	ck_assert_int_eq(ptrace(PTRACE_SINGLESTEP, scene.tracee.pid, NULL, 0),
			 0);
	tracee_await(&scene.tracee, STOP_TRAP);
	ck_assert_int_eq(ptrace(PTRACE_GETSIGINFO, scene.tracee.pid, NULL,
				&info),
			 0);
	ck_assert_int_eq(info.si_code, TRAP_TRACE);
	ck_assert_int_eq(thread_detach(&scene.tracee.table, scene.tracee.thread,
				       SIGTRAP),
			 0);
	scene_goes_round(&scene);
}
END_TEST

/* ---- an area that was left ----------------------------------------------- */

static struct survive later;
static struct slots later_slots;

static bool
move_in(void)
{
	later = (struct survive){ 0 };
	later_slots =
		(struct slots){ .reach = slots->reach, .top = slots->top };
	return survive_adopt(&later, &later_slots, scene.sites.space);
}

static void
move_out(void)
{
	survive_release(&later);
	slots_release(&later_slots);
}

START_TEST(there_may_be_no_area)
{
	ck_assert(!move_in());
	ck_assert_uint_eq(later.code, 0);
	ck_assert_uint_eq(later_slots.regions.count, 0);
}
END_TEST

START_TEST(a_later_xtrace_takes_over)
{
	struct site *site = scene_plant(&scene, scene_add);
	const uint64_t held[2] = { 17, 0 };

	/* A nudge has ended and left its note in the handler area. */
	ck_assert_int_eq(space_write(scene.sites.space,
				     survive_nudge_note(survive, 17), held,
				     sizeof(held)),
			 0);
	ck_assert(move_in());
	ck_assert_uint_eq(later.code, survive->code);
	ck_assert_uint_eq(later.data, survive->data);
	ck_assert_uint_eq(later.count, 1);
	ck_assert_uint_eq(survive_slot(&later, site->address), site->slot);
	ck_assert_uint_eq(survive_site(&later, site->slot), site->address);
	ck_assert_uint_eq(later_slots.scratch, slots->scratch);
	ck_assert_uint_eq(later_slots.planned, slots->planned);
	/* The new slot is behind the existing slots. */
	ck_assert_uint_ge(slots_take(&later_slots, site->address, 16),
			  site->slot + site->slot_length);
	/*
	 * The trap that the earlier xtrace had planted was removed, and the
	 * note was cleared.
	 */
	ck_assert_uint_eq(scene_raw(&scene, scene_add), (uint8_t)*scene_add);
	ck_assert_uint_eq(header_there().held[17 % INSIDE_HELD].thread, 0);
	move_out();
}
END_TEST

static void
write_header(const struct inside_header *header)
{
	ck_assert_int_eq(space_write(scene.sites.space, survive->data, header,
				     sizeof(*header)),
			 0);
}

/* xtrace was killed after a region was mapped and before the handler area named
 * it. */
START_TEST(a_region_that_was_planned)
{
	struct inside_header header;
	addr_t region;

	make_area();
	ck_assert_int_eq(slots_map(slots, &scene.tracee.table,
				   scene.tracee.thread, (addr_t)scene_add, 100),
			 0);
	region = slots->regions.at[1].start;
	ck_assert_uint_eq(header_there().region_count, 1);
	ck_assert(move_in());
	ck_assert_uint_eq(later_slots.regions.count, 2);
	ck_assert_uint_eq(later_slots.regions.at[1].start, region);
	move_out();
	/*
	 * The later xtrace has put the region's name into the handler area, and
	 * no region is planned.
	 */
	header = header_there();
	ck_assert_uint_eq(header.region_count, 2);
	ck_assert_uint_eq(header.planned.size, 0);
	/* A region that was planned and not mapped, or that belongs to the
	 * program. */
	header.region_count = 1;
	header.planned =
		(struct inside_region){ .start = 0x10000, .size = 4096 };
	write_header(&header);
	ck_assert(move_in());
	ck_assert_uint_eq(later_slots.regions.count, 1);
	move_out();
	header.planned =
		(struct inside_region){ .start = region, .size = 4096 };
	write_header(&header);
	ck_assert_int_eq(space_write(scene.sites.space, region + 100, "x", 1),
			 0);
	ck_assert(move_in());
	ck_assert_uint_eq(later_slots.regions.count, 1);
	move_out();
}
END_TEST

/* xtrace was killed after it had unmapped a part of its memory. */
START_TEST(what_is_unmapped_is_dropped)
{
	struct inside_header header;

	scene_plant(&scene, scene_add);
	header = header_there();
	header.regions[1] = (struct inside_region){ 0x10000, 4096, 100 };
	header.region_count = 2;
	header.table = 0x20000;
	write_header(&header);
	ck_assert(move_in());
	ck_assert_uint_eq(later_slots.regions.count, 1);
	/* The handler area uses its own first table again. */
	ck_assert_uint_eq(later.header.table,
			  survive->data + sizeof(struct inside_header));
	move_out();
}
END_TEST

START_TEST(what_is_no_area_is_none)
{
	struct inside_header header;

	make_area();
	header = header_there();
	header.mask = 5;
	write_header(&header);
	ck_assert(!move_in());
	header.mask = AREA_ENTRIES - 1;
	header.region_count = INSIDE_REGIONS + 1;
	write_header(&header);
	ck_assert(!move_in());
	header.region_count = 1;
	header.magic++;
	write_header(&header);
	ck_assert(!move_in());
	header.magic--;
	write_header(&header);
	ck_assert(move_in());
	move_out();
}
END_TEST

/* In a table without a free entry, a search for another site has no end. */
START_TEST(a_full_table_is_none)
{
	struct inside_entry full[AREA_ENTRIES];

	make_area();
	for (uint64_t i = 0; i < AREA_ENTRIES; i++)
		full[i] = (struct inside_entry){ 0x1000 + i, 1, 0x90, 0 };
	ck_assert_int_eq(space_write(scene.sites.space, survive->header.table,
				     full, sizeof(full)),
			 0);
	ck_assert(!move_in());
	/* With one free entry, each search ends. */
	full[AREA_ENTRIES / 3].site = 0;
	ck_assert_int_eq(space_write(scene.sites.space, survive->header.table,
				     full, sizeof(full)),
			 0);
	ck_assert(move_in());
	ck_assert_uint_eq(survive_slot(&later, 0x123456), 0);
	survive_forget(&later, scene.sites.space, 0x123456);
	move_out();
}
END_TEST

/* A copy of the program may find other entries than xtrace has written, because
 * the program can write there, too. */
START_TEST(the_entries_are_counted_again)
{
	struct inside_entry most[AREA_ENTRIES] = { 0 };

	make_area();
	for (uint64_t i = 0; i < AREA_ENTRIES - 1; i++)
		most[i] = (struct inside_entry){ 0x1000 + i, 1, 0x90, 0 };
	ck_assert_int_eq(space_write(scene.sites.space, survive->header.table,
				     most, sizeof(most)),
			 0);
	survive_reread(survive, slots, scene.sites.space);
	ck_assert_uint_eq(survive->count, AREA_ENTRIES - 1);
	/* The last free entry stays free: without it no search ends. */
	survive_note(survive, (struct inside_entry){ 0x9000, 1, 0x90, 0 });
	ck_assert_uint_eq(survive_slot(survive, 0x123456), 0);
}
END_TEST

START_TEST(a_copy_reads_its_own_again)
{
	struct inside_header header;

	make_area();
	ck_assert_int_eq(slots_map(slots, &scene.tracee.table,
				   scene.tracee.thread, (addr_t)scene_add, 100),
			 0);
	/* The memory is a copy from before the last region was mapped. */
	survive_reread(survive, slots, scene.sites.space);
	ck_assert_uint_eq(slots->regions.count, 1);
	ck_assert_uint_ne(survive->code, 0);
	/* A child that was forked before the handler area was made. */
	header = header_there();
	header.magic = 0;
	write_header(&header);
	survive_reread(survive, slots, scene.sites.space);
	ck_assert_uint_eq(survive->code, 0);
	ck_assert_uint_eq(slots->regions.count, 0);
	ck_assert_uint_eq(slots->planned, 0);
}
END_TEST

/* ---- leaving ---------------------------------------------------------------
 */

START_TEST(an_area_is_left)
{
	addr_t scratch = slots->scratch, code, data, table, region;

	make_area();
	ck_assert_int_eq(slots_map(slots, &scene.tracee.table,
				   scene.tracee.thread, (addr_t)scene_add, 100),
			 0);
	ck_assert_int_eq(survive_regions(survive, slots, scene.sites.space), 0);
	ck_assert_uint_eq(header_there().region_count, 2);
	ck_assert_int_eq(survive_room(survive, &scene.tracee.table,
				      scene.tracee.thread, AREA_ENTRIES),
			 0);
	code = survive->code;
	data = survive->data;
	table = survive->header.table;
	region = slots->regions.at[1].start;
	ck_assert_int_eq(survive_disarm(survive, &scene.tracee.table,
					scene.tracee.thread, scratch),
			 0);
	ck_assert(!catches_traps());
	ck_assert_int_eq(survive_end(survive, slots, &scene.tracee.table,
				     scene.tracee.thread, scratch, false),
			 0);
	ck_assert(!is_mapped(code, true));
	ck_assert(!is_mapped(data, false));
	ck_assert(!is_mapped(table, false));
	ck_assert(!is_mapped(region, true));
	ck_assert_uint_eq(survive->code, 0);
	tracee_resume(&scene.tracee, 0);
	scene_goes_round(&scene);
}
END_TEST

/* Pages of a gap: APART springboards, each with a free page behind it, then a
 * region of NEXT pages that are mapped one by one. The program has mapped the
 * page THEIRS, which is behind a springboard. */
enum { APART = 20, NEXT = 3, THEIRS = 21, GAP = 64 };

static addr_t
page(addr_t gap, unsigned number)
{
	return gap + number * ADDR_PAGE;
}

static void
map_page(addr_t at)
{
	ck_assert_int_eq(slots_map_at(slots, &scene.tracee.table,
				      scene.tracee.thread, at, ADDR_PAGE),
			 0);
}

static void
map_theirs(addr_t at)
{
	const struct stub_call map = {
		.number = SYS_mmap,
		.arguments = { at, ADDR_PAGE, PROT_READ | PROT_EXEC,
			       MAP_PRIVATE | MAP_ANONYMOUS |
				       MAP_FIXED_NOREPLACE,
			       (uint64_t)-1, 0 },
	};
	int64_t result;

	ck_assert_int_eq(remote_run(&scene.tracee.table, scene.tracee.thread,
				    slots->scratch, &map, 1, &result),
			 0);
	ck_assert_uint_eq((addr_t)result, at);
}

static addr_t
map_regions(void)
{
	addr_t gap;

	ck_assert_int_eq(slots_gap(slots, scene.tracee.pid, (addr_t)scene_add,
				   GAP * ADDR_PAGE, &gap),
			 0);
	for (unsigned i = APART; i-- > 0;)
		map_page(page(gap, 2 * i));
	for (unsigned i = 0; i < NEXT; i++)
		map_page(page(gap, 2 * APART + i));
	map_theirs(page(gap, THEIRS));
	return gap;
}

/* Neighbours are unmapped by one call. In a newborn, in which nobody else maps
 * memory, so is everything between two mappings of the program. */
START_TEST(regions_are_left_together)
{
	const bool newborn = _i != 0;
	const uint64_t calls = newborn ? 2 : APART + 1;
	const struct tally *tally = &scene.tracee.table.tally;
	addr_t scratch = slots->scratch, gap;
	uint64_t before;

	make_area();
	gap = map_regions();
	ck_assert_int_eq(survive_disarm(survive, &scene.tracee.table,
					scene.tracee.thread, scratch),
			 0);
	before = tally->injected;
	ck_assert_int_eq(survive_end(survive, slots, &scene.tracee.table,
				     scene.tracee.thread, scratch, newborn),
			 0);
	/* The last call unmaps the handler area. */
	ck_assert_uint_eq(tally->injected - before, calls + 1);
	for (unsigned i = 0; i < GAP; i++)
		ck_assert_int_eq(is_mapped(page(gap, i), true), i == THEIRS);
	tracee_resume(&scene.tracee, 0);
	scene_goes_round(&scene);
}
END_TEST

Suite *
area_suite(void)
{
	Suite *suite = suite_create("breakpoints/area");
	TCase *tests = tcase_create("area");

	tcase_add_checked_fixture(tests, setup, teardown);
	tcase_add_test(tests, an_area_is_made);
	tcase_add_test(tests, an_area_that_is_not_possible);
	tcase_add_test(tests, what_was_ignored_is_ignored);
	tcase_add_test(tests, the_table_grows);
	tcase_add_test(tests, the_program_runs_past_traps_by_itself);
	tcase_add_test(tests, the_trap_of_a_step_is_no_signal);
	tcase_add_test(tests, there_may_be_no_area);
	tcase_add_test(tests, a_later_xtrace_takes_over);
	tcase_add_test(tests, a_region_that_was_planned);
	tcase_add_test(tests, what_is_unmapped_is_dropped);
	tcase_add_test(tests, what_is_no_area_is_none);
	tcase_add_test(tests, a_full_table_is_none);
	tcase_add_test(tests, the_entries_are_counted_again);
	tcase_add_test(tests, a_copy_reads_its_own_again);
	tcase_add_test(tests, an_area_is_left);
	tcase_add_loop_test(tests, regions_are_left_together, 0, 2);
	suite_add_tcase(suite, tests);
	return suite;
}
