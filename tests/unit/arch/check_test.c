/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks are run from random states on this processor. If no condition holds,
 * the displaced instruction must find the registers, flags and memory of the
 * site; if one holds, the trap must. A thread that is stopped anywhere in the
 * check's own code is moved back to the state that it started from.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86/int3.h"
#include "arch/x86_64/check.h"
#include "arch/x86_64/insn.h"
#include "base/attr.h"
#include "tests/unit/arch/bytes.h"
#include "tests/unit/arch/machine.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

#define STATES 400
#define PLACE 0x800u
#define FLAGS 0xcd5u
#define RED_ZONE 128u

static struct machine machine;
static uint64_t seed = UINT64_C(0x2545f4914f6cdd1d);
static uint8_t memory_before[MACHINE_DATA_SIZE];

/* The displaced instruction does nothing, so the final state is that of the
 * site. */
static const uint8_t five_no_ops[] = { 0x0f, 0x1f, 0x44, 0x00, 0x00 };

static const struct {
	const char *name;
	unsigned count;
	struct check_condition conditions[CHECK_CONDITIONS];
} checks[] = {
	{ "no condition", 0, { { 0 } } },
	{ "the stack pointer", 1, { { CHECK_STACK, 0, 0 } } },
	{ "the caller", 1, { { CHECK_CALLER, 0x5000, 0x1000 } } },
	{ "four callers",
	  4,
	  { { CHECK_CALLER, 0x1000, 0x1000 },
	    { CHECK_CALLER, 0x3000, 0x10 },
	    { CHECK_CALLER, UINT64_C(0x7f0000000000), 1 },
	    { CHECK_CALLER, 0x5000, 0x1000 } } },
	{ "a stack pointer and a caller",
	  2,
	  { { CHECK_STACK, 0, 0 }, { CHECK_CALLER, 0x5000, 0x1000 } } },
};

static void
random_state(struct machine_state *state)
{
	*state = (struct machine_state){ 0 };
	for (int i = 0; i < MACHINE_GREGS; i++)
		state->gregs[i] = random_u64(&seed);
	state->gregs[REG_RSP] = (uint64_t)machine.data + MACHINE_DATA_SIZE / 2 +
				8 * random_below(&seed, 64);
	state->gregs[REG_EFL] = (random_u64(&seed) & FLAGS) | 0x202;
	for (size_t i = 0; i < sizeof(memory_before); i++)
		memory_before[i] = (uint8_t)random_u64(&seed);
}

static void
set_return_address(const struct machine_state *state, uint64_t address)
{
	memcpy(memory_before + (state->gregs[REG_RSP] - (uint64_t)machine.data),
	       &address, sizeof(address));
}

static addr_t
area(void)
{
	return machine.code[MACHINE_HOME] + PLACE;
}

static void
make(unsigned row, struct check *ret_check)
{
	struct code from = { five_no_ops, sizeof(five_no_ops),
			     machine.code[MACHINE_NEAR] };

	ck_assert_int_eq(x86_64_check(&from, checks[row].conditions,
				      checks[row].count, area(), ret_check),
			 0);
	ck_assert_uint_le(ret_check->length, CHECK_ROOM);
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
	in.gregs[REG_RIP] = area();
	machine_run(&in, after);
	ck_assert_int_eq(after->signal, SIGTRAP);
}

static void
compare(const char *name, const struct machine_state *before,
	const struct machine_state *after)
{
	size_t zone =
		before->gregs[REG_RSP] - RED_ZONE - (uint64_t)machine.data;

	for (int i = 0; i < REG_RIP; i++)
		ck_assert_msg(before->gregs[i] == after->gregs[i],
			      "%s: register %d", name, i);
	ck_assert_msg(((before->gregs[REG_EFL] ^ after->gregs[REG_EFL]) &
		       FLAGS) == 0,
		      "%s: flags %#lx, %#lx", name, before->gregs[REG_EFL],
		      after->gregs[REG_EFL]);
	ck_assert_msg(!memcmp(memory_before + zone, machine.data + zone,
			      sizeof(memory_before) - zone),
		      "%s: memory", name);
}

/* Must the check stop the thread? Otherwise it must lead to the slot. */
static bool
must_stop(unsigned row, const struct machine_state *state, uint64_t caller)
{
	for (unsigned i = 0; i < checks[row].count; i++) {
		const struct check_condition *c = &checks[row].conditions[i];

		if (c->kind == CHECK_STACK &&
		    c->number == state->gregs[REG_RSP])
			return true;
		if (c->kind == CHECK_CALLER && caller - c->number < c->size)
			return true;
	}
	return false;
}

START_TEST(checks_lead_on_or_stop)
{
	static const uint64_t callers[] = { 0x4fff,
					    0x5000,
					    0x5fff,
					    0x6000,
					    0x3010,
					    0x300f,
					    0x2fff,
					    0x1000,
					    UINT64_C(0x7f0000000000),
					    UINT64_C(0x7f0000000001),
					    ~UINT64_C(0) };
	unsigned stopped = 0, led_on = 0;
	struct check check;

	machine_init(&machine);
	make((unsigned)_i, &check);
	for (unsigned i = 0; i < STATES; i++) {
		uint64_t caller =
			callers[random_below(&seed, array_size(callers))];
		struct machine_state before, after;
		uint8_t *slot = check.bytes + check.slot;
		addr_t end;

		random_state(&before);
		set_return_address(&before, caller);
		*slot = INT3;
		run(&check, &before, &after);
		compare(checks[_i].name, &before, &after);
		end = machine_end(&after) - area();
		if (must_stop((unsigned)_i, &before, caller))
			ck_assert_uint_eq(end, check.trap);
		else
			ck_assert_uint_eq(end, check.slot);
		stopped += end == check.trap;
		led_on += end == check.slot;
	}
	ck_assert_uint_eq(stopped + led_on, STATES);
	if (checks[_i].count && checks[_i].conditions[0].kind == CHECK_CALLER)
		ck_assert(stopped > STATES / 10 && led_on > STATES / 10);
}
END_TEST

/* A check may compare the stack pointer with a number in the check's own bytes.
 * This number is written while the check is planted. */
START_TEST(the_stack_pointer_is_found)
{
	struct check check;

	machine_init(&machine);
	make(1, &check);
	for (unsigned i = 0; i < STATES; i++) {
		struct machine_state before, after;
		uint64_t number;

		random_state(&before);
		number = before.gregs[REG_RSP] + (i % 2 ? 8 : 0);
		memcpy(check.bytes + check.words, &number, sizeof(number));
		check.bytes[check.slot] = INT3;
		run(&check, &before, &after);
		compare("the stack pointer", &before, &after);
		ck_assert_uint_eq(machine_end(&after) - area(),
				  i % 2 ? check.slot : check.trap);
	}
}
END_TEST

/* The offsets of all instructions of the check's own code, including the
 * instructions that lead to the trap. */
static size_t
own_instructions(const struct check *check, size_t *offsets)
{
	size_t count = 0;

	for (size_t at = 0; at <= check->trap;) {
		struct insn insn;

		if (at == check->slot)
			at = check->stop;
		offsets[count++] = at;
		ck_assert_int_eq(insn_decode(check->bytes + at,
					     check->length - at, area() + at,
					     &insn),
				 0);
		at += insn.length;
	}
	return count;
}

/* Stops a thread at the instruction at this offset of the check, and moves the
 * thread back to the check's beginning. Returns false if the thread does not
 * reach the instruction. */
static bool
goes_back_from(const struct check *check, size_t offset,
	       const struct machine_state *before)
{
	struct reader memory = { .read = machine_memory_read };
	struct check stopped = *check;
	struct machine_state after;
	struct regs was, is;

	stopped.bytes[offset] = INT3;
	stopped.bytes[stopped.slot] = INT3;
	run(&stopped, before, &after);
	if (machine_end(&after) != area() + offset)
		return false;
	machine_regs(before, &was);
	machine_regs(&after, &is);
	ck_assert(x86_64_check_undo(check, offset, &memory, &is));
	ck_assert_msg(was.gpr.rax == is.gpr.rax && was.gpr.rcx == is.gpr.rcx &&
			      was.gpr.rsp == is.gpr.rsp,
		      "at %zu", offset);
	ck_assert_msg(((was.gpr.eflags ^ is.gpr.eflags) & FLAGS) == 0,
		      "at %zu: %#llx, %#llx", offset, was.gpr.eflags,
		      is.gpr.eflags);
	return true;
}

START_TEST(threads_go_back)
{
	size_t offsets[CHECK_ROOM], count;
	unsigned reached[CHECK_ROOM] = { 0 };
	struct check check;

	machine_init(&machine);
	make(4, &check);
	count = own_instructions(&check, offsets);
	ck_assert_uint_gt(count, 20);
	for (unsigned i = 0; i < STATES / 4; i++) {
		struct machine_state before;

		random_state(&before);
		set_return_address(&before, i % 2 ? 0x5800 : 0x4800);
		for (size_t n = 0; n < count; n++)
			reached[n] +=
				goes_back_from(&check, offsets[n], &before);
	}
	for (size_t n = 0; n < count; n++)
		ck_assert_msg(reached[n], "%zu was not reached", offsets[n]);
}
END_TEST

Suite *
check_suite(void)
{
	Suite *suite = suite_create("check");
	TCase *tests = tcase_create("check");

	tcase_add_loop_test(tests, checks_lead_on_or_stop, 0,
			    array_size(checks));
	tcase_add_test(tests, the_stack_pointer_is_found);
	tcase_add_test(tests, threads_go_back);
	suite_add_tcase(suite, tests);
	return suite;
}
