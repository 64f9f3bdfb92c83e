/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The registers by their uses. */
#include "tests/unit/arch/suites.h"

#include "arch/regs.h"

static const struct regs regs = { .gpr = {
					  .rip = 1,
					  .rsp = 2,
					  .fs_base = 3,
					  .rax = 4,
					  .rdi = 10,
					  .rsi = 11,
					  .rdx = 12,
					  .rcx = 13,
					  .r8 = 14,
					  .r9 = 15,
				  } };

START_TEST(registers_by_use)
{
	ck_assert_uint_eq(regs_pc(&regs), 1);
	ck_assert_uint_eq(regs_sp(&regs), 2);
	ck_assert_uint_eq(regs_thread_pointer(&regs), 3);
	ck_assert_uint_eq(regs_result(&regs), 4);
}
END_TEST

START_TEST(arguments_in_the_order_of_the_psabi)
{
	for (unsigned i = 0; i < 6; i++)
		ck_assert_uint_eq(regs_argument(&regs, i), 10 + i);
}
END_TEST

Suite *
regs_suite(void)
{
	Suite *suite = suite_create("arch/regs");
	TCase *tests = tcase_create("regs");

	tcase_add_test(tests, registers_by_use);
	tcase_add_test(tests, arguments_in_the_order_of_the_psabi);
	suite_add_tcase(suite, tests);
	return suite;
}
