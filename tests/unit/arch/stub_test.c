/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Where a thread that is in the middle of a stub will end. The end must be the
 * same as if the thread had run the stub. This test only reads the bytes of
 * stubs; tests/cases has programs that run stubs, because each attach does.
 */
#include "tests/unit/arch/suites.h"

#include "arch/x86_64/stub.h"

#include <string.h>
#include <sys/syscall.h>

#define MASK UINT64_C(0xfffffffe7ffbfe00)
#define AT UINT64_C(0x7f0000001000)

static const struct regs resume = {
	.gpr = { .rax = 1,
		 .rcx = UINT64_C(0x7f0000001234),
		 .rdx = (uint64_t)-2,
		 .rsi = UINT64_C(0x80000000),
		 .rdi = INT64_MIN,
		 .r8 = 0,
		 .r9 = UINT64_C(0xffffffff80000000),
		 .r10 = UINT64_MAX,
		 .r11 = 0x246,
		 .rbx = 77,
		 .rsp = UINT64_C(0x7ffffff0),
		 .orig_rax = (uint64_t)-1,
		 .rip = UINT64_C(0x555555551234) },
};

static size_t
build(uint8_t *stub)
{
	static const struct stub_call calls[] = {
		{ SYS_mmap, { 0x1000, 0x8000, 5, 34, (uint64_t)-1, 0 } },
		{ SYS_rt_sigaction, { 5, UINT64_C(0x7f1234567000), 0, 8 } },
	};

	return x86_64_stub_build(calls, 2, &resume, MASK, AT, stub);
}

/*
 * Calls stub_end() for a thread whose pc is at this offset of the stub, whose
 * code is at AT.
 */
static bool
end_at(const uint8_t *stub, size_t length, size_t at, struct regs *regs,
       uint64_t *ret_mask)
{
	const struct code code = { stub, length, AT };

	regs->gpr.rip = AT + at;
	return x86_64_stub_end(&code, regs, ret_mask);
}

/*
 * Checks the end of a thread in a stub whose calls have changed the thread's
 * registers.
 */
static void
check_end(const uint8_t *stub, size_t length, size_t at)
{
	struct regs regs = resume;
	uint64_t mask = 0;

	regs.gpr.rax = regs.gpr.rcx = regs.gpr.rdx = regs.gpr.rsi = 99;
	regs.gpr.rdi = regs.gpr.r8 = regs.gpr.r9 = regs.gpr.r10 = 99;
	regs.gpr.r11 = 99;
	ck_assert(end_at(stub, length, at, &regs, &mask));
	ck_assert_uint_eq(mask, MASK);
	ck_assert_mem_eq(&regs.gpr, &resume.gpr, sizeof(resume.gpr));
}

/* The thread is at the stub's beginning, or behind one of its calls. */
START_TEST(at_its_calls)
{
	uint8_t stub[STUB_ROOM] = { 0 };
	size_t length = build(stub);
	int calls = 0;

	check_end(stub, length, 0);
	for (size_t at = 0; at + 1 < length; at++) {
		if (stub[at] != 0x0f || stub[at + 1] != 0x05)
			continue;
		check_end(stub, length, at);
		check_end(stub, length, at + 2);
		calls++;
	}
	ck_assert_int_eq(calls, 3);
}
END_TEST

/*
 * A stub that is as long as possible: each value needs the longest instruction.
 */
START_TEST(at_its_longest)
{
	struct stub_call calls[STUB_CALLS];
	struct regs far = resume;
	uint8_t stub[STUB_ROOM];
	size_t length;

	for (size_t i = 0; i < STUB_CALLS; i++) {
		calls[i].number = SYS_mmap;
		for (size_t k = 0; k < 6; k++)
			calls[i].arguments[k] = INT64_MAX;
	}
	memset(&far.gpr, 0x7f, sizeof(far.gpr));
	length = x86_64_stub_build(calls, STUB_CALLS, &far, MASK, AT, stub);
	ck_assert_uint_le(length, STUB_ROOM);
	ck_assert_uint_eq((length + 15) & ~(size_t)15, STUB_ROOM);
}
END_TEST

/* The thread is at the last jump of the stub. */
START_TEST(at_its_jump)
{
	uint8_t stub[STUB_ROOM] = { 0 };
	size_t length = build(stub), at = length - 8 - 8 - 6;
	struct regs regs = resume;
	uint64_t mask = 0;

	ck_assert(end_at(stub, length, at, &regs, &mask));
	ck_assert_uint_eq(mask, MASK);
	ck_assert_mem_eq(&regs.gpr, &resume.gpr, sizeof(resume.gpr));
}
END_TEST

/* The bytes are only a part of a stub, or no stub: no register changes. */
START_TEST(no_stub)
{
	static const uint8_t other[] = { 0x55, 0x48, 0x89, 0xe5, 0xc3 };
	uint8_t stub[STUB_ROOM] = { 0 };
	size_t length = build(stub);
	struct regs regs = resume;
	uint64_t mask;

	for (size_t have = 0; have < length; have++)
		ck_assert(!end_at(stub, have, 0, &regs, &mask));
	ck_assert(!end_at(other, sizeof(other), 0, &regs, &mask));
	memset(stub, 0, sizeof(stub));
	ck_assert(!end_at(stub, sizeof(stub), 0, &regs, &mask));
	ck_assert(!end_at(stub, sizeof(stub), sizeof(stub), &regs, &mask));
	regs.gpr.rip = resume.gpr.rip;
	ck_assert_mem_eq(&regs, &resume, sizeof(resume));
}
END_TEST

Suite *
stub_suite(void)
{
	Suite *suite = suite_create("arch/x86_64/stub");
	TCase *tests = tcase_create("end");

	tcase_add_test(tests, at_its_calls);
	tcase_add_test(tests, at_its_longest);
	tcase_add_test(tests, at_its_jump);
	tcase_add_test(tests, no_stub);
	suite_add_tcase(suite, tests);
	return suite;
}
