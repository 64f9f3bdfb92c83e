/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Meters are run from random states on this processor, in every case that they
 * tell apart. Registers, flags, vector registers and the stack must be those of
 * the site, whether the thread passes or traps. The area must have one call
 * more, or be unchanged. A thread that is stopped at any instruction of a meter
 * must be moved back, and x86_64_meter_written() must say what the thread has
 * written. METER_STATES is the number of states.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86_64/check.h"
#include "arch/x86_64/insn.h"
#include "arch/x86_64/meter.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"
#include "tests/unit/arch/meter_scenes.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define STATES 300

/* Adds to area_before what the meter must have counted of a call that has
 * ended. Returns the sum of the call's function. */
static struct meter_sum *
expect_whole(struct meter_open *open)
{
	struct meter_whole *sum = &area_before.block.wholes[WHOLE];

	open->step = meter_step(open->took);
	open->most = sum->most;
	open[-1].inner += open->took;
	sum->own += open->took - open->inner;
	sum->steps[open->step]++;
	if (sum->most < open->took)
		sum->most = open->took;
	return (struct meter_sum *)sum;
}

/* Adds to area_before the open call that an entry adds. */
static void
expect_open(enum check_kind kind, const struct machine_state *before,
	    size_t depth, uint64_t returns_to)
{
	struct meter_open *open = &area_before.block.open[depth];
	struct meter_kept *kept = &area_before.block.kept[depth];

	*open = (struct meter_open){
		.sp = before->gregs[REG_RSP],
		.return_address = returns_to,
		.began = area.block.open[depth].began,
		.sums = offsetof(struct meter_block, sums[SUM]),
	};
	ck_assert_uint_gt(open->began, 0);
	area_before.block.top += sizeof(struct meter_open);
	if (kind != CHECK_METER_KEEP && kind != CHECK_METER_TEXTS)
		return;
	open->sums = offsetof(struct area_of_test, select);
	for (unsigned i = 0; i < 6; i++) {
		static const int registers[] = { REG_RDI, REG_RSI, REG_RDX,
						 REG_RCX, REG_R8,  REG_R9 };

		kept->arguments[i] = (uint64_t)before->gregs[registers[i]];
	}
	if (kind != CHECK_METER_TEXTS)
		return;
	kept->all = UINT64_MAX;
	/* A meter that copies texts leaves intermediate values in the members
	 * from `took` on, so they are not compared. */
	memcpy(&open->took, &area.block.open[depth].took,
	       sizeof(*open) - offsetof(struct meter_open, took));
}

/* Expects that the area has one open call more than before, or one less. */
static void
expect_call(enum check_kind kind, const struct machine_state *before,
	    uint64_t returns_to)
{
	size_t depth = (area_before.block.top - (uint64_t)&area.block.open[0]) /
		       sizeof(struct meter_open);
	struct meter_sum *sum = &area_before.block.sums[SUM];

	if (check_is_meter_entry(kind)) {
		expect_open(kind, before, depth + 1, returns_to);
		return;
	}
	area_before.block.top -= sizeof(struct meter_open);
	area_before.block.added = 1;
	if (kind == CHECK_METER_SELECT) {
		area_before.block.passed++;
		return;
	}
	area_before.block.open[depth].took = area.block.open[depth].took;
	ck_assert_uint_gt(area.block.open[depth].took, 0);
	if (kind == CHECK_METER_WHOLE)
		sum = expect_whole(&area_before.block.open[depth]);
	sum->calls++;
	sum->ticks += area.block.open[depth].took;
}

/* A meter that selects writes the result of a call before it knows whether the
 * call is selected. Results are not compared. */
static void
forget_results(void)
{
	for (unsigned i = 0; i <= METER_DEPTH; i++)
		area.block.kept[i].result = area_before.block.kept[i].result;
}

static void
count_or_trap(enum check_kind kind, enum scene scene)
{
	bool entry = check_is_meter_entry(kind);
	bool counts = entry ? scenes[scene].entry_counts
			    : scenes[scene].return_counts;
	bool traps = scenes[scene].whole_traps &&
		     (kind == CHECK_METER_WHOLE || kind == CHECK_METER_SELECT);
	bool passes = entry ? counts : scenes[scene].return_passes && !traps;
	const char *name = scenes[scene].name;
	struct check check;

	make(kind, &check);
	check.bytes[check.slot] = INT3;
	for (unsigned i = 0; i < states(STATES); i++) {
		struct machine_state before, after;
		uint64_t returns_to =
			scene == NO_ADDRESS ? 0 : random_u64(&seed) | 1;

		random_state(&before);
		if (entry)
			set_word(before.gregs[REG_RSP], returns_to);
		set_area(scene, kind, &before, returns_to);
		run(&check, &before, &after);
		same_world(name, kind, &before, &after);
		ck_assert_msg(machine_end(&after) - place() ==
				      (passes ? check.slot : check.trap),
			      "%s: ends at %#lx", name,
			      machine_end(&after) - place());
		if (counts && !traps)
			expect_call(kind, &before, returns_to);
		area_before.block.added = area.block.added;
		if (kind == CHECK_METER_SELECT)
			forget_results();
		ck_assert_msg(!memcmp(&area, &area_before, AREA_USED),
			      "%s: the area", name);
	}
}

START_TEST(entries_are_counted_or_trap)
{
	machine_init(&machine);
	count_or_trap(CHECK_METER_ENTRY, (enum scene)_i);
}
END_TEST

START_TEST(returns_are_counted_or_trap)
{
	machine_init(&machine);
	count_or_trap(CHECK_METER_RETURN, (enum scene)_i);
}
END_TEST

START_TEST(returns_are_counted_with_a_histogram)
{
	machine_init(&machine);
	count_or_trap(CHECK_METER_WHOLE, (enum scene)_i);
}
END_TEST

START_TEST(arguments_are_kept)
{
	machine_init(&machine);
	count_or_trap(CHECK_METER_KEEP, (enum scene)_i);
}
END_TEST

START_TEST(arguments_are_kept_without_texts)
{
	machine_init(&machine);
	count_or_trap(CHECK_METER_TEXTS, (enum scene)_i);
}
END_TEST

/* Runs the entry of a function with two texts, and checks the copies. */
static void
copy_texts(const struct check *check, enum text_place first,
	   enum text_place second)
{
	bool passes = text_places[first].copied && text_places[second].copied;
	const uint64_t returns_to = 0x123456;
	struct machine_state before, after;
	const uint8_t *texts[METER_TEXTS];
	size_t lengths[METER_TEXTS], depth;

	random_state(&before);
	set_word(before.gregs[REG_RSP], returns_to);
	set_area(CERTAIN, check->kind, &before, returns_to);
	texts[0] = set_text(first, 0, &before, &lengths[0]);
	texts[1] = set_text(second, 1, &before, &lengths[1]);
	run(check, &before, &after);
	same_world(text_places[first].name, check->kind, &before, &after);
	ck_assert_msg(machine_end(&after) - place() ==
			      (passes ? check->slot : check->trap),
		      "%s, %s: ends at %#lx", text_places[first].name,
		      text_places[second].name, machine_end(&after) - place());
	if (!passes) {
		ck_assert_uint_eq(area.block.top, area_before.block.top);
		return;
	}
	expect_call(check->kind, &before, returns_to);
	ck_assert(!memcmp(&area, &area_before, AREA_USED));
	depth = (area.block.top - (uint64_t)&area.block.open[0]) /
		sizeof(struct meter_open);
	for (unsigned n = 0; n < METER_TEXTS; n++)
		ck_assert_msg(!lengths[n] ||
				      !memcmp(area.block.texts[depth][n] +
						      (uint64_t)texts[n] % 8,
					      texts[n], lengths[n]),
			      "%s: text %u", text_places[first].name, n);
}

START_TEST(texts_are_copied_or_trap)
{
	struct check check;

	machine_init(&machine);
	make(CHECK_METER_TEXTS, &check);
	check.bytes[check.slot] = INT3;
	for (unsigned i = 0; i < states(STATES); i++)
		for (enum text_place other = 0; other < TEXT_LONG; other++) {
			copy_texts(&check, (enum text_place)_i, other);
			copy_texts(&check, other, (enum text_place)_i);
		}
}
END_TEST

START_TEST(returns_are_selected)
{
	machine_init(&machine);
	count_or_trap(CHECK_METER_SELECT, (enum scene)_i);
}
END_TEST

/* The middle of a number's step differs from the number by at most a 64th. */
START_TEST(steps_have_middles)
{
	unsigned last = 0;

	for (uint64_t ticks = 0; ticks < METER_TICKS_MOST;
	     ticks += ticks / 200 + 1) {
		unsigned step = meter_step(ticks);
		uint64_t middle = meter_step_middle(step);
		uint64_t off = middle > ticks ? middle - ticks : ticks - middle;

		ck_assert_uint_ge(step, last);
		ck_assert_uint_le(step, last + 1);
		ck_assert_uint_le(off, ticks / 64);
		last = step;
	}
	ck_assert_uint_eq(meter_step(METER_TICKS_MOST - 1), METER_STEPS - 1);
}
END_TEST

static void
take_back_whole(struct meter_open *open, enum meter_written written)
{
	struct meter_whole *sum = &area.block.wholes[WHOLE];
	const struct meter_open *outer = open - 1;

	if (written >= METER_STEP)
		sum->steps[open->step]--;
	if (written >= METER_INNER)
		open[-1].inner -= open->took;
	if (written >= METER_OWN)
		sum->own -= open->took - open->inner;
	if (written >= METER_MOST)
		sum->most = open->most;
	ck_assert_uint_eq(
		outer->inner,
		area_before.block.open[outer - area.block.open].inner);
}

/* Undoes what the meter has written, as far as x86_64_meter_written() has said.
 * Then the area must be as before the meter ran. */
static void
take_back(enum check_kind kind, enum meter_written written)
{
	struct meter_block *block = &area.block;
	struct meter_open *open = (void *)block->top;
	struct meter_sum *sum = &block->sums[SUM];

	if (kind == CHECK_METER_WHOLE)
		sum = (struct meter_sum *)&block->wholes[WHOLE];
	if (written == METER_IF_ADDED)
		written = block->added ? METER_CLOSED : METER_NOTHING;
	if (written == METER_CLOSED) {
		block->top += sizeof(*open);
		open++;
	}
	if (kind == CHECK_METER_SELECT) {
		forget_results();
		block->passed -= written >= METER_PASSED;
		written = METER_NOTHING;
	}
	if (written >= METER_CALLS)
		sum->calls--;
	if (written >= METER_TICKS)
		sum->ticks -= open->took;
	if (kind == CHECK_METER_WHOLE)
		take_back_whole(open, written);
	if (written == METER_OPENED)
		block->top -= sizeof(*open);
	ck_assert(block->top == area_before.block.top);
	ck_assert(block->passed == area_before.block.passed);
	if (kind == CHECK_METER_KEEP || kind == CHECK_METER_TEXTS)
		memcpy(block->kept, area_before.block.kept,
		       sizeof(block->kept));
	ck_assert(
		!memcmp(block->sums, area_before.block.sums,
			AREA_USED - offsetof(struct area_of_test, block.sums)));
}

/* Stops a thread at the instruction at this offset of the meter, and moves the
 * thread back to the meter's beginning. Returns false if the thread does not
 * reach the instruction. */
static bool
goes_back_from(const struct check *check, size_t offset,
	       const struct machine_state *before)
{
	struct reader memory = { .read = machine_memory_read };
	struct check stopped = *check;
	struct machine_state after;
	struct regs was, is;

	stopped.bytes[stopped.slot] = INT3;
	stopped.bytes[offset] = INT3;
	run(&stopped, before, &after);
	if (machine_end(&after) != place() + offset)
		return false;
	machine_regs(before, &was);
	machine_regs(&after, &is);
	take_back(check->kind, x86_64_meter_written(check, offset));
	if (offset == check->slot)
		return true;
	ck_assert(x86_64_check_undo(check, offset, &memory, &is));
	was.gpr.eflags &= FLAGS;
	is.gpr.eflags &= FLAGS;
	ck_assert_msg(!memcmp(&was.gpr, &is.gpr, sizeof(was.gpr)), "at %zu",
		      offset);
	return true;
}

static void
go_back_everywhere(enum check_kind kind)
{
	size_t offsets[CHECK_ROOM], count;
	unsigned reached[CHECK_ROOM] = { 0 };
	struct check check;
	size_t length;

	make(kind, &check);
	count = own_instructions(&check, offsets);
	ck_assert_uint_gt(count, 40);
	for (unsigned i = 0; i < SCENES * 4 + TEXT_PLACES * TEXT_PLACES; i++) {
		enum scene scene =
			i < SCENES * 4 ? (enum scene)(i % SCENES) : CERTAIN;
		struct machine_state before;

		random_state(&before);
		if (check_is_meter_entry(kind))
			set_word(before.gregs[REG_RSP], 0x123456);
		set_area(scene, kind, &before, 0x123456);
		if (kind == CHECK_METER_TEXTS) {
			set_text((enum text_place)(i % TEXT_PLACES), 0, &before,
				 &length);
			set_text((enum text_place)(i / TEXT_PLACES %
						   TEXT_PLACES),
				 1, &before, &length);
		}
		for (size_t n = 0; n < count; n++)
			reached[n] +=
				goes_back_from(&check, offsets[n], &before);
	}
	for (size_t n = 0; n < count; n++)
		ck_assert_msg(reached[n], "%zu was not reached", offsets[n]);
}

START_TEST(threads_go_back)
{
	machine_init(&machine);
	go_back_everywhere((enum check_kind)_i);
}
END_TEST

Suite *
meter_suite(void)
{
	Suite *suite = suite_create("meter");
	TCase *tests = tcase_create("meter");

	tcase_set_timeout(tests, 3600);
	tcase_add_loop_test(tests, entries_are_counted_or_trap, 0, SCENES);
	tcase_add_loop_test(tests, returns_are_counted_or_trap, 0, SCENES);
	tcase_add_loop_test(tests, returns_are_counted_with_a_histogram, 0,
			    SCENES);
	tcase_add_loop_test(tests, arguments_are_kept, 0, SCENES);
	tcase_add_loop_test(tests, arguments_are_kept_without_texts, 0, SCENES);
	tcase_add_loop_test(tests, texts_are_copied_or_trap, 0, TEXT_PLACES);
	tcase_add_loop_test(tests, returns_are_selected, 0, SCENES);
	tcase_add_test(tests, steps_have_middles);
	tcase_add_loop_test(tests, threads_go_back, CHECK_METER_ENTRY,
			    CHECK_METER_SELECT + 1);
	suite_add_tcase(suite, tests);
	suite_add_tcase(suite, meter_query_case());
	return suite;
}
