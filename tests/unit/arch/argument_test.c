/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where the first argument of a call can be found, from the bytes of the
 * code. */
#include "arch/x86_64/argument.h"
#include "arch/x86_64/insn_effect.h"
#include "tests/unit/arch/suites.h"

#include <stdlib.h>

#define AT UINT64_C(0x401000)
#define CALL "e8 00 00 00 00 "

struct row {
	/* hex bytes; ">" marks the thread's pc */
	const char *code;
	bool found;
	struct origin origin;
};

#define CONSTANT(n)                                               \
	{                                                         \
		.kind = ORIGIN_CONSTANT, .number = (n), .size = 8 \
	}
#define REGISTER(r, n, bytes)                                       \
	{                                                           \
		.kind = ORIGIN_REGISTER, .reg = (r), .number = (n), \
		.size = (bytes)                                     \
	}
#define MEMORY(r, n, bytes)                                       \
	{                                                         \
		.kind = ORIGIN_MEMORY, .reg = (r), .number = (n), \
		.size = (bytes)                                   \
	}

static const struct row given[] = {
	/* mov $5,%edi */
	{ "bf 05 00 00 00 " CALL ">c3", true, CONSTANT(5) },
	/* mov $-1,%rdi; the call is the last instruction */
	{ "48 c7 c7 ff ff ff ff " CALL ">", true, CONSTANT(-1) },
	/* xor %edi,%edi */
	{ "31 ff " CALL ">c3", true, CONSTANT(0) },
	/* lea 0x100(%rip),%rdi */
	{ "48 8d 3d 00 01 00 00 " CALL ">c3", true, CONSTANT(AT + 0x107) },
	/* mov %rbx,%rdi */
	{ "48 89 df " CALL ">c3", true, REGISTER(EFFECT_RBX, 0, 8) },
	/* mov %r12d,%edi */
	{ "44 89 e7 " CALL ">c3", true, REGISTER(12, 0, 4) },
	/* lea 0x10(%rsp),%rdi */
	{ "48 8d 7c 24 10 " CALL ">c3", true, REGISTER(EFFECT_RSP, 16, 8) },
	/* mov 8(%rsp),%rdi */
	{ "48 8b 7c 24 08 " CALL ">c3", true, MEMORY(EFFECT_RSP, 8, 8) },
	/* mov -0x14(%rbp),%eax; mov %eax,%edi */
	{ "8b 45 ec 89 c7 " CALL ">c3", true, MEMORY(EFFECT_RBP, -20, 4) },
	/* mov 0x100(%rip),%rdi */
	{ "48 8b 3d 00 01 00 00 " CALL ">c3", true,
	  MEMORY(NO_REGISTER, AT + 0x107, 8) },
	/* mov $5,%edi; jne after the call; mov %rbx,%rax: a branch on the
	 * way */
	{ "bf 05 00 00 00 75 08 48 89 d8 " CALL ">c3", true, CONSTANT(5) },
	/* mov %rax,%rdi */
	{ "48 89 c7 " CALL ">c3", false, { 0 } },
	/* mov (%rbx),%rax; mov (%rax),%rdi: the value of rax is lost */
	{ "48 8b 03 48 8b 38 " CALL ">c3", false, { 0 } },
	/* jne to the call; mov $5,%edi */
	{ "75 05 bf 05 00 00 00 " CALL ">c3", false, { 0 } },
	/* mov %rbx,%rdi; mov %rax,%rbx */
	{ "48 89 df 48 89 c3 " CALL ">c3", false, { 0 } },
	/* lea 8(%rsp),%rdi; push %rax */
	{ "48 8d 7c 24 08 50 " CALL ">c3", false, { 0 } },
	/* mov $5,%edi; a call overwrites it */
	{ "bf 05 00 00 00 " CALL CALL ">c3", false, { 0 } },
	/* mov $5,%dil: the other bytes are unknown */
	{ "40 b7 05 " CALL ">c3", false, { 0 } },
	/* jmp *%rax may go anywhere */
	{ "bf 05 00 00 00 " CALL ">ff e0", false, { 0 } },
	/* no instruction sets the argument */
	{ CALL ">c3", false, { 0 } },
	/* no call ends at the return address */
	{ "bf 05 00 >00 00 " CALL "c3", false, { 0 } },
	/* the bytes are not an instruction */
	{ "bf 05 00 00 00 " CALL ">06", false, { 0 } },
};

static const struct row kept[] = {
	/* push %rbx; mov %rdi,%rbx; ... pop %rbx */
	{ "53 48 89 fb " CALL ">5b c3", true, REGISTER(EFFECT_RBX, 0, 8) },
	/* mov %edi,%r13d */
	{ "41 89 fd " CALL ">c3", true, REGISTER(13, 0, 4) },
	/* push %rbp; mov %rsp,%rbp; mov %edi,-0x14(%rbp), mov %rsi,-0x20 */
	{ "55 48 89 e5 89 7d ec 48 89 75 e0 " CALL ">c9 c3", true,
	  MEMORY(EFFECT_RBP, -20, 4) },
	/* ... mov %eax,%ebx */
	{ "53 48 89 fb " CALL ">89 c3 5b c3", false, { 0 } },
	/* ... addl $1,-0x14(%rbp) */
	{ "55 48 89 e5 89 7d ec " CALL ">83 45 ec 01 c9 c3", false, { 0 } },
	/* ... lea -0x14(%rbp),%rax */
	{ "55 48 89 e5 89 7d ec " CALL ">48 8d 45 ec c9 c3", false, { 0 } },
	/* not found: a call or a branch comes before the move, or another
	 * register is moved */
	{ CALL "48 89 fb >c3", false, { 0 } },
	{ "75 03 48 89 fb " CALL ">c3", false, { 0 } },
	{ "48 89 f3 " CALL ">c3", false, { 0 } },
	/* the thread's pc is before the move */
	{ ">48 89 fb " CALL "c3", false, { 0 } },
};

static size_t
bytes_of(const char *text, uint8_t *bytes, addr_t *ret_mark)
{
	size_t length = 0;

	while (*text) {
		char *end;

		if (*text == '>') {
			*ret_mark = AT + length;
			text++;
			continue;
		}
		if (*text == ' ') {
			text++;
			continue;
		}
		bytes[length++] = (uint8_t)strtoul(text, &end, 16);
		text = end;
	}
	return length;
}

static void
check_row(const struct row *row, bool by_caller)
{
	uint8_t *bytes = malloc(64);
	addr_t mark = 0;
	size_t length = bytes_of(row->code, bytes, &mark);
	const struct code code = { bytes, length, AT };
	struct origin origin = { 0 };
	bool found = by_caller ? x86_64_argument_given(&code, mark, 0, &origin)
			       : x86_64_argument_kept(&code, mark, 0, &origin);

	free(bytes);
	ck_assert_msg(found == row->found, "%s: found: %d", row->code, found);
	if (!found)
		return;
	ck_assert_int_eq(origin.kind, row->origin.kind);
	ck_assert_int_eq(origin.number, row->origin.number);
	ck_assert_uint_eq(origin.size, row->origin.size);
	if (origin.kind != ORIGIN_CONSTANT)
		ck_assert_uint_eq(origin.reg, row->origin.reg);
}

START_TEST(what_a_caller_gives)
{
	check_row(&given[_i], true);
}
END_TEST

START_TEST(what_a_function_keeps)
{
	check_row(&kept[_i], false);
}
END_TEST

Suite *
argument_suite(void)
{
	Suite *suite = suite_create("arch/argument");
	TCase *tests = tcase_create("argument");

	tcase_add_loop_test(tests, what_a_caller_gives, 0,
			    (int)(sizeof(given) / sizeof(given[0])));
	tcase_add_loop_test(tests, what_a_function_keeps, 0,
			    (int)(sizeof(kept) / sizeof(kept[0])));
	suite_add_tcase(suite, tests);
	return suite;
}
