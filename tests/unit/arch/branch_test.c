/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Branches with a known target, and bytes that are no branch. */
#include "arch/x86_64/branch.h"
#include "tests/unit/arch/suites.h"

#define AT UINT64_C(0x401000)

static const struct {
	uint8_t bytes[8];
	size_t have;
	int64_t to; /* relative to AT */
	bool goes;
} rows[] = {
	{ { 0x75, 0xfe }, 2, 0, true }, /* jnz to itself */
	{ { 0x90, 0x75, 0xfd }, 3, 0, true },
	{ { 0x75, 0xfd }, 2, 0, false },
	{ { 0xeb, 0x7f }, 2, 0x81, true },
	{ { 0xe2, 0x80 }, 2, -0x7e, true }, /* loop */
	{ { 0x74 }, 1, 1, false },	    /* cut short */
	{ { 0xe9, 0xfb, 0xff, 0xff, 0xff }, 5, 0, true },
	{ { 0xe9, 0xfb, 0xff, 0xff, 0xff }, 4, 0, false },
	{ { 0x0f, 0x85, 0x00, 0x01, 0, 0 }, 6, 0x106, true },
	{ { 0x0f, 0x05, 0x00, 0x01, 0, 0 }, 6, 0x106, false },
	{ { 0xe8, 0xfb, 0xff, 0xff, 0xff }, 5, 0, false }, /* call */
};

START_TEST(jumps)
{
	const struct code code = { rows[_i].bytes, rows[_i].have, AT };
	addr_t to = AT + (uint64_t)rows[_i].to;

	ck_assert(x86_64_may_jump_to(&code, to) == rows[_i].goes);
}
END_TEST

Suite *
branch_suite(void)
{
	Suite *suite = suite_create("branch");
	TCase *cases = tcase_create("jumps");

	tcase_add_loop_test(cases, jumps, 0, sizeof(rows) / sizeof(rows[0]));
	suite_add_tcase(suite, cases);
	return suite;
}
