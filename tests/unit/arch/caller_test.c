/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The bytes before an address, and whether they are a call of a function. */
#include "arch/x86_64/caller.h"
#include "tests/unit/arch/suites.h"

#include <errno.h>
#include <string.h>

#define AT UINT64_C(0x400000)
#define BACK (AT + 32)
#define FUNCTION (AT + 0x1000)
#define SLOT (AT + 64)
#define TABLE (AT + 96)

static uint8_t code[128];

static int
read_code(struct reader *reader, addr_t from, void *to, size_t length)
{
	(void)reader;
	if (from < AT || from + length > AT + sizeof(code))
		return -EFAULT;
	memcpy(to, code + (from - AT), length);
	return 0;
}

static struct reader memory = { .read = read_code };

static void
put_number(addr_t at, addr_t target, addr_t from)
{
	int32_t number = (int32_t)(target - from);

	memcpy(code + (at - AT), &number, sizeof(number));
}

static void
put_word(addr_t at, uint64_t word)
{
	memcpy(code + (at - AT), &word, sizeof(word));
}

static void
put_call(addr_t target)
{
	code[BACK - AT - 5] = 0xe8;
	put_number(BACK - 4, target, BACK);
}

static void
put_slot(const uint8_t *before, size_t length)
{
	addr_t jump = SLOT + length;

	memcpy(code + (SLOT - AT), before, length);
	code[jump - AT] = 0xff;
	code[jump - AT + 1] = 0x25;
	put_number(jump + 2, TABLE, jump + 6);
	put_word(TABLE, FUNCTION);
}

static enum caller
before(void)
{
	return x86_64_caller(&memory, BACK, FUNCTION);
}

static void
setup(void)
{
	memset(code, 0x90, sizeof(code));
}

START_TEST(direct)
{
	ck_assert_int_eq(before(), CALLER_NONE);
	put_call(FUNCTION);
	ck_assert_int_eq(before(), CALLER_OURS);
	put_call(FUNCTION + 1);
	ck_assert_int_eq(before(), CALLER_OTHER);
	ck_assert_int_eq(x86_64_caller(&memory, AT + 3, FUNCTION), CALLER_NONE);
	ck_assert_int_eq(x86_64_caller(&memory, 3, FUNCTION), CALLER_NONE);
}
END_TEST

START_TEST(through_a_table)
{
	code[BACK - AT - 6] = 0xff;
	code[BACK - AT - 5] = 0x15;
	put_number(BACK - 4, TABLE, BACK);
	put_word(TABLE, FUNCTION);
	ck_assert_int_eq(before(), CALLER_OURS);
	put_word(TABLE, FUNCTION + 16);
	ck_assert_int_eq(before(), CALLER_OTHER);
}
END_TEST

START_TEST(through_a_slot)
{
	static const uint8_t marks[] = { 0xf3, 0x0f, 0x1e, 0xfa, 0xf2 };

	put_call(SLOT);
	ck_assert_int_eq(before(), CALLER_OTHER);
	put_slot(marks, 0);
	ck_assert_int_eq(before(), CALLER_OURS);
	put_slot(marks, 4);
	ck_assert_int_eq(before(), CALLER_OURS);
	put_slot(marks, 5);
	ck_assert_int_eq(before(), CALLER_OURS);
	put_word(TABLE, FUNCTION - 1);
	ck_assert_int_eq(before(), CALLER_OTHER);
}
END_TEST

START_TEST(others)
{
	static const struct {
		uint8_t bytes[7];
		size_t length;
	} calls[] = {
		{ { 0xff, 0xd0 }, 2 },			 /* call *%rax */
		{ { 0x41, 0xff, 0xd3 }, 3 },		 /* call *%r11 */
		{ { 0xff, 0x50, 0x08 }, 3 },		 /* call *8(%rax) */
		{ { 0xff, 0x54, 0x24, 0x08 }, 4 },	 /* call *8(%rsp) */
		{ { 0xff, 0x90, 0, 1, 0, 0 }, 6 },	 /* call *256(%rax) */
		{ { 0xff, 0x94, 0x24, 0, 1, 0, 0 }, 7 }, /* call *256(%rsp) */
	};

	for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
		setup();
		memcpy(code + (BACK - AT) - calls[i].length, calls[i].bytes,
		       calls[i].length);
		ck_assert_int_eq(before(), CALLER_OTHER);
	}
}
END_TEST

Suite *
caller_suite(void)
{
	Suite *suite = suite_create("arch/caller");
	TCase *tests = tcase_create("caller");

	tcase_add_checked_fixture(tests, setup, NULL);
	tcase_add_test(tests, direct);
	tcase_add_test(tests, through_a_table);
	tcase_add_test(tests, through_a_slot);
	tcase_add_test(tests, others);
	suite_add_tcase(suite, tests);
	return suite;
}
