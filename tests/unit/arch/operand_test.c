/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Operands as gcc and clang write them in notes of SDT probes, and texts that
 * are none. */
#include "arch/operand.h"

#include "arch/arch.h"
#include "tests/unit/arch/suites.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#define NONE OPERAND_NOTHING

static const struct {
	const char *text;
	struct operand is;
} rows[] = {
	{ "-4@%eax", { OPERAND_REGISTER, 4, true, .base = 0, .index = NONE } },
	{ "1@%ah",
	  { OPERAND_REGISTER, 1, .base = 0, .index = NONE, .shift = 8 } },
	{ "1@%dil", { OPERAND_REGISTER, 1, .base = 5, .index = NONE } },
	{ "2@%r9w", { OPERAND_REGISTER, 2, .base = 9, .index = NONE } },
	{ "%r15", { OPERAND_REGISTER, 8, .base = 15, .index = NONE } },
	{ "8f@%xmm13",
	  { OPERAND_VECTOR, 8, .real = true, .base = 13, .index = NONE } },
	{ "-8@$-5",
	  { OPERAND_CONSTANT, 8, true, .number = -5, .base = NONE,
	    .index = NONE } },
	{ "8@$0xffffffffffffffff",
	  { OPERAND_CONSTANT, 8, .number = -1, .base = NONE, .index = NONE } },
	{ "8@-24(%rbp)",
	  { OPERAND_MEMORY, 8, .number = -24, .base = 6, .index = NONE } },
	{ "-4@(%rsp)", { OPERAND_MEMORY, 4, true, .base = 7, .index = NONE } },
	{ "-4@16(%rax,%rcx,8)",
	  { OPERAND_MEMORY, 4, true, .number = 16, .base = 0, .index = 2,
	    .scale = 8 } },
	{ "4@(,%rdx,4)",
	  { OPERAND_MEMORY, 4, .base = NONE, .index = 1, .scale = 4 } },
	{ "4@(%rbx,%r12)",
	  { OPERAND_MEMORY, 4, .base = 3, .index = 12, .scale = 1 } },
	{ "8@sym+8(%rip)",
	  { OPERAND_MEMORY, 8, .number = 8, .base = NONE, .index = NONE,
	    .symbol = "sym" } },
	{ "4@68+sym-4(%rip)",
	  { OPERAND_MEMORY, 4, .number = 64, .base = NONE, .index = NONE,
	    .symbol = "sym" } },
	{ "8@sym.0",
	  { OPERAND_MEMORY, 8, .base = NONE, .index = NONE,
	    .symbol = "sym.0" } },
	{ "8@$sym",
	  { OPERAND_CONSTANT, 8, .base = NONE, .index = NONE,
	    .symbol = "sym" } },
	{ "8@4198400",
	  { OPERAND_MEMORY, 8, .number = 4198400, .base = NONE,
	    .index = NONE } },
	{ "8@%fs:-8",
	  { OPERAND_MEMORY, 8, .number = -8, .base = NONE, .index = NONE,
	    .of_thread = true } },
};

START_TEST(operands)
{
	const struct operand *is = &rows[_i].is;
	const char *text = rows[_i].text;
	struct operand operand;

	ck_assert_int_eq(operand_next(arch_known[0], &text, &operand), 1);
	ck_assert_int_eq(*text, 0);
	ck_assert_int_eq(operand.kind, is->kind);
	ck_assert_uint_eq(operand.bytes, is->bytes);
	ck_assert(operand.is_signed == is->is_signed);
	ck_assert(operand.real == is->real);
	ck_assert_int_eq(operand.number, is->number);
	ck_assert_uint_eq(operand.base, is->base);
	ck_assert_uint_eq(operand.index, is->index);
	ck_assert_uint_eq(operand.scale, is->scale ? is->scale : 1);
	ck_assert_uint_eq(operand.shift, is->shift);
	ck_assert(operand.of_thread == is->of_thread);
	ck_assert((operand.symbol != NULL) == (is->symbol != NULL));
	if (operand.symbol)
		ck_assert(strlen(is->symbol) == operand.symbol_length &&
			  !strncmp(operand.symbol, is->symbol,
				   operand.symbol_length));
}
END_TEST

static const char *const refused[] = {
	"3@%eax",
	"-@%eax",
	"16@%xmm0",
	"4@",
	"4@%",
	"4@%exx",
	"4@%r16",
	"4@%r7",
	"4@%r9x",
	"8@%xmm16",
	"8@%st(1)",
	"8@8(%rip)",
	"8@(%eax)",
	"8@8(%rax",
	"8@(%rax,3)",
	"8@(%rax)x",
	"8@(%rax,%rcx,3)",
	"8@a+b",
	"8@-sym",
	"8@1++2",
	"8@$",
	"8@()",
	"8@(,)",
	"8@0x",
	"8@%fs:sym",
	"88@%rax",
	"8ff@%xmm0",
	"2f@%xmm0",
	"8@18446744073709551616",
	"8@%rax\xff",
};

START_TEST(unknown)
{
	const char *text = refused[_i];
	struct operand operand;

	ck_assert_int_eq(operand_next(arch_known[0], &text, &operand), -EINVAL);
	ck_assert_int_eq(*text, 0);
}
END_TEST

START_TEST(lists)
{
	const char *text = " -4@%eax  8@what? \t1@$7 ";
	struct operand operand;

	ck_assert_int_eq(operand_next(arch_known[0], &text, &operand), 1);
	ck_assert_int_eq(operand_next(arch_known[0], &text, &operand), -EINVAL);
	ck_assert_uint_eq(operand.bytes, 8);
	ck_assert_int_eq(operand_next(arch_known[0], &text, &operand), 1);
	ck_assert_int_eq(operand.number, 7);
	ck_assert_int_eq(operand_next(arch_known[0], &text, &operand), 0);
	ck_assert_int_eq(operand_next(arch_known[0], &text, &operand), 0);
}
END_TEST

Suite *
operand_suite(void)
{
	Suite *suite = suite_create("operand");
	TCase *cases = tcase_create("operand");

	tcase_add_loop_test(cases, operands, 0, (int)array_size(rows));
	tcase_add_loop_test(cases, unknown, 0, (int)array_size(refused));
	tcase_add_test(cases, lists);
	suite_add_tcase(suite, cases);
	return suite;
}
