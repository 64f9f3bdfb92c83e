/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Meters are run from random states on this processor, in every case that they
 * tell apart. Registers, flags, vector registers and the stack must be those of
 * the site, whether the thread passes or traps; the area must have one call
 * more, or be unchanged. A thread that is stopped at any instruction is moved
 * back, and what it has written is told. METER_STATES is the number of states.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86_64/check.h"
#include "arch/x86_64/insn.h"
#include "arch/x86_64/meter.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"
#include "tests/unit/arch/machine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define INT3 0xcc
#define STATES 300
#define PLACE 0x800u
#define FLAGS 0xcd5u
#define RED_ZONE 128u
#define SUM 7
#define WHOLE 1
/* The first bytes of the area, which are compared before and after a run. */
#define AREA_USED                               \
	(offsetof(struct area_of_test, block) + \
	 offsetof(struct meter_block, wholes[WHOLE + 1]))

static struct machine machine;
static uint64_t seed = UINT64_C(0x9d39247e33776d41);
static uint8_t memory_before[MACHINE_DATA_SIZE];
static struct area_of_test {
	struct meter_tables tables;
	struct meter_block block;
} area, area_before;
static const uint8_t five_no_ops[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

enum scene {
	CERTAIN,
	/* like CERTAIN, but entries are in the second way of their buckets */
	SECOND_WAY,
	IDLE,	   /* a return: the last open call is further up the stack */
	SHARED,	   /* the last call that xtrace follows is at the same place */
	UNWOUND,   /* the last open call is further down the stack */
	ELSEWHERE, /* the call returns to another address */
	UNKNOWN_THREAD,
	CLOSED,
	OTHER_STACK,
	FULL,
	NO_ADDRESS, /* the return address is 0 */
	LONG,	    /* a return: the call has taken long */
	SCENES
};

static const struct {
	const char *name;
	bool entry_counts, return_counts, return_passes, whole_traps;
} scenes[SCENES] = {
	[CERTAIN] = { "certain", true, true, true },
	[SECOND_WAY] = { "second way", true, true, true },
	[IDLE] = { "idle", true, false, true },
	[SHARED] = { "shared", false, false, false },
	[UNWOUND] = { "unwound", false, false, false },
	[ELSEWHERE] = { "elsewhere", false, false, false },
	[UNKNOWN_THREAD] = { "unknown thread", false, false, false },
	[CLOSED] = { "closed", false, false, false },
	[OTHER_STACK] = { "other stack", false, false, false },
	[FULL] = { "full", false, true, true },
	[NO_ADDRESS] = { "no address", false, true, true },
	[LONG] = { "long", true, true, true, true },
};

static uint64_t
thread_pointer(void)
{
	uint64_t pointer;

	__asm__("mov %%fs:0, %0" : "=r"(pointer));
	return pointer;
}

static addr_t
site(void)
{
	return machine.code[MACHINE_NEAR];
}

static addr_t
place(void)
{
	return machine.code[MACHINE_HOME] + PLACE;
}

static void
make(enum check_kind kind, struct check *ret_check)
{
	struct code from = { five_no_ops, sizeof(five_no_ops), site() };
	struct check_condition meter = {
		.kind = kind,
		.number = (uint64_t)&area,
		.size = kind == CHECK_METER_WHOLE
				? METER_TICKS_MOST
				: offsetof(struct meter_block, sums[SUM]),
	};

	ck_assert_int_eq(x86_64_check(&from, &meter, 1, place(), ret_check), 0);
	ck_assert_uint_le(ret_check->length, CHECK_ROOM);
}

static void
random_state(struct machine_state *state)
{
	*state = (struct machine_state){ 0 };
	for (int i = 0; i < MACHINE_GREGS; i++)
		state->gregs[i] = random_u64(&seed);
	for (size_t i = 160; i < 416; i++) /* xmm0 to xmm15 */
		state->fx[i] = (uint8_t)random_u64(&seed);
	for (size_t i = 0; i < MACHINE_YMMH; i++)
		state->ymmh[i] = (uint8_t)random_u64(&seed);
	/* The machine runs with this x87 control word and MXCSR. */
	state->fx[0] = 0x7f;
	state->fx[1] = 0x03;
	state->fx[24] = 0x80;
	state->fx[25] = 0x1f;
	state->gregs[REG_RSP] = (uint64_t)machine.data + MACHINE_DATA_SIZE / 2 +
				8 * random_below(&seed, 64);
	state->gregs[REG_EFL] = (random_u64(&seed) & FLAGS) | 0x202;
	for (size_t i = 0; i < sizeof(memory_before); i++)
		memory_before[i] = (uint8_t)random_u64(&seed);
}

static void
set_word(addr_t at, uint64_t word)
{
	memcpy(memory_before + (at - (addr_t)machine.data), &word,
	       sizeof(word));
}

/* The last open call, where the thread has its return address at `at`. */
static struct meter_open
last_open(enum scene scene, enum check_kind kind, addr_t at)
{
	struct meter_open last = { .sp = at,
				   .return_address = site(),
				   .began = 1,
				   .sums = offsetof(struct meter_block,
						    sums[SUM]) };

	if (kind == CHECK_METER_WHOLE) {
		uint64_t age =
			random_u64(&seed) >> (32 + random_below(&seed, 32));

		last.sums = offsetof(struct meter_block, wholes[WHOLE]);
		last.inner = random_below(&seed, 1000);
		if (scene != LONG)
			last.began = x86_64_ticks() - age;
	}

	if (kind == CHECK_METER_ENTRY || scene == IDLE)
		last.sp += 8 + 8 * random_below(&seed, 8);
	if (scene == SHARED)
		last = (struct meter_open){ .sp = at };
	else if (scene == UNWOUND)
		last.sp = at - 8 - 8 * random_below(&seed, 8);
	else if (scene == ELSEWHERE)
		last.return_address++;
	return last;
}

static void
set_area(enum scene scene, enum check_kind kind, addr_t sp, uint64_t returns_to)
{
	struct meter_block *block = &area_before.block;
	uint64_t pointer = thread_pointer();
	unsigned way = scene == SECOND_WAY;
	unsigned depth = scene == FULL
				 ? METER_DEPTH
				 : 1 + random_below(&seed, METER_DEPTH - 1);
	addr_t at = kind == CHECK_METER_ENTRY ? sp : sp - 8;

	memset(&area_before, 0, AREA_USED);
	memset(&block->sums, 0x11, sizeof(block->sums));
	memset(&block->wholes, 0x11, (WHOLE + 1) * sizeof(block->wholes[0]));
	block->wholes[WHOLE].most >>= random_below(&seed, 64);
	if (scene != UNKNOWN_THREAD)
		area_before.tables.threads[meter_bucket(
			pointer, METER_THREAD_BITS)][way] =
			(struct meter_thread){ pointer, (uint64_t)&area.block };
	if (kind == CHECK_METER_ENTRY && scene != ELSEWHERE && returns_to)
		area_before.tables.returns[meter_bucket(
			returns_to, METER_RETURN_BITS)][way] = returns_to;
	block->top = (uint64_t)&area.block.open[depth];
	block->full = (uint64_t)&area.block.open[METER_DEPTH];
	block->low = scene == CLOSED	    ? UINT64_MAX
		     : scene == OTHER_STACK ? at + 8
					    : at - 0x1000;
	block->open[depth - 1].inner = random_below(&seed, 1000);
	block->open[depth] = last_open(scene, kind, at);
}

static void
run(const struct check *check, const struct machine_state *before,
    struct machine_state *after)
{
	struct machine_state in = *before;

	memset(machine.write[MACHINE_HOME], INT3, 2 * PLACE);
	memcpy(machine.write[MACHINE_HOME] + PLACE, check->bytes,
	       check->length);
	memcpy(machine.data, memory_before, sizeof(memory_before));
	memcpy(&area, &area_before, AREA_USED);
	in.gregs[REG_RIP] = place();
	machine_run(&in, after);
	ck_assert_int_eq(after->signal, SIGTRAP);
}

static void
same_registers(const char *name, const struct machine_state *before,
	       const struct machine_state *after)
{
	for (int i = 0; i < REG_RIP; i++)
		ck_assert_msg(before->gregs[i] == after->gregs[i],
			      "%s: register %d", name, i);
	ck_assert_msg(((before->gregs[REG_EFL] ^ after->gregs[REG_EFL]) &
		       FLAGS) == 0,
		      "%s: flags %#lx, %#lx", name, before->gregs[REG_EFL],
		      after->gregs[REG_EFL]);
}

static void
same_world(const char *name, enum check_kind kind,
	   const struct machine_state *before,
	   const struct machine_state *after)
{
	size_t sp = before->gregs[REG_RSP] - (uint64_t)machine.data;
	size_t from = kind == CHECK_METER_ENTRY ? sp : sp - RED_ZONE;

	same_registers(name, before, after);
	ck_assert_msg(!memcmp(memory_before + from, machine.data + from,
			      sizeof(memory_before) - from),
		      "%s: memory", name);
	ck_assert_msg(!memcmp(before->fx, after->fx, 4), "%s: x87", name);
	ck_assert_msg(!memcmp(before->fx + 24, after->fx + 24, 4), "%s: MXCSR",
		      name);
	ck_assert_msg(!memcmp(before->fx + 160, after->fx + 160, 256),
		      "%s: xmm", name);
	ck_assert_msg(!memcmp(before->ymmh, after->ymmh, MACHINE_YMMH),
		      "%s: ymm", name);
}

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

/* Expects that the area has one open call more than before, or one less. */
static void
expect_call(enum check_kind kind, addr_t sp, uint64_t returns_to)
{
	size_t depth = (area_before.block.top - (uint64_t)&area.block.open[0]) /
		       sizeof(struct meter_open);
	struct meter_sum *sum = &area_before.block.sums[SUM];

	if (kind == CHECK_METER_ENTRY) {
		struct meter_open *open = &area_before.block.open[depth + 1];

		*open = (struct meter_open){
			.sp = sp,
			.return_address = returns_to,
			.began = area.block.open[depth + 1].began,
			.sums = offsetof(struct meter_block, sums[SUM]),
		};
		ck_assert_uint_gt(open->began, 0);
		area_before.block.top += sizeof(struct meter_open);
		return;
	}
	area_before.block.open[depth].took = area.block.open[depth].took;
	ck_assert_uint_gt(area.block.open[depth].took, 0);
	if (kind == CHECK_METER_WHOLE)
		sum = expect_whole(&area_before.block.open[depth]);
	sum->calls++;
	sum->ticks += area.block.open[depth].took;
	area_before.block.top -= sizeof(struct meter_open);
	area_before.block.added = 1;
}

static unsigned
states(unsigned most)
{
	const char *text = getenv("METER_STATES");

	return text ? (unsigned)strtoul(text, NULL, 10) : most;
}

static void
count_or_trap(enum check_kind kind, enum scene scene)
{
	bool entry = kind == CHECK_METER_ENTRY;
	bool counts = entry ? scenes[scene].entry_counts
			    : scenes[scene].return_counts;
	bool traps = kind == CHECK_METER_WHOLE && scenes[scene].whole_traps;
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
		set_area(scene, kind, before.gregs[REG_RSP], returns_to);
		run(&check, &before, &after);
		same_world(name, kind, &before, &after);
		ck_assert_msg(machine_end(&after) - place() ==
				      (passes ? check.slot : check.trap),
			      "%s: ends at %#lx", name,
			      machine_end(&after) - place());
		if (counts && !traps)
			expect_call(kind, before.gregs[REG_RSP], returns_to);
		area_before.block.added = area.block.added;
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

/* All instructions of the meter's own code, and the first displaced one. */
static size_t
own_instructions(const struct check *check, size_t *offsets)
{
	size_t count = 0;

	for (size_t at = 0; at <= check->trap;) {
		struct insn insn;

		offsets[count++] = at;
		ck_assert_int_eq(insn_decode(check->bytes + at,
					     check->length - at, place() + at,
					     &insn),
				 0);
		at += insn.length;
	}
	offsets[count++] = check->slot;
	return count;
}

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

/* Undoes what x86_64_meter_written() says was written. Then the area must be as
 * before the meter. */
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
	if (written >= METER_CALLS)
		sum->calls--;
	if (written >= METER_TICKS)
		sum->ticks -= open->took;
	if (kind == CHECK_METER_WHOLE)
		take_back_whole(open, written);
	if (written == METER_OPENED)
		block->top -= sizeof(*open);
	ck_assert(block->top == area_before.block.top);
	ck_assert(
		!memcmp(block->sums, area_before.block.sums,
			AREA_USED - offsetof(struct area_of_test, block.sums)));
}

/* Stops the meter at the instruction at offset, and moves it back to its
 * beginning. Returns false if the meter does not reach the instruction. */
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

	make(kind, &check);
	count = own_instructions(&check, offsets);
	ck_assert_uint_gt(count, 40);
	for (unsigned i = 0; i < SCENES * 4; i++) {
		enum scene scene = (enum scene)(i % SCENES);
		struct machine_state before;

		random_state(&before);
		if (kind == CHECK_METER_ENTRY)
			set_word(before.gregs[REG_RSP], 0x123456);
		set_area(scene, kind, before.gregs[REG_RSP], 0x123456);
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
	tcase_add_test(tests, steps_have_middles);
	tcase_add_loop_test(tests, threads_go_back, CHECK_METER_ENTRY,
			    CHECK_METER_WHOLE + 1);
	suite_add_tcase(suite, tests);
	return suite;
}
