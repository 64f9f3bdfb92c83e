/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Small policies, and their answers for a system call.
 * tests/cases/no-harm/confined compares with the kernel's answers. */
#include "arch/bpf.h"

#include "base/attr.h"
#include "tests/unit/arch/suites.h"

#include <errno.h>

#define AT(field) ((unsigned)offsetof(struct seccomp_data, field))
#define LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(field))
#define RETURN(value) BPF_STMT(BPF_RET | BPF_K, value)
#define UNLESS(op, value) BPF_JUMP(BPF_JMP | op | BPF_K, value, 0, 1)
#define ALU(op, value) BPF_STMT(BPF_ALU | op | BPF_K, value)

#define YES SECCOMP_RET_ALLOW
#define NO SECCOMP_RET_KILL_PROCESS
#define MOST 12

/* The call is number 9 with the arguments 10 to 14 and 1 << 32 | 5. */
static const struct seccomp_data call = {
	.nr = 9,
	.arch = 0xc000003e,
	.instruction_pointer = 0x1000,
	.args = { 10, 11, 12, 13, 14, UINT64_C(1) << 32 | 5 },
};

static const struct policy {
	struct sock_filter program[MOST];
	size_t count;
	int result;
	uint32_t answer;
} policies[] = {
	{ { RETURN(YES) }, 1, 0, YES },
	{ { LOAD(nr), UNLESS(BPF_JEQ, 9), RETURN(NO), RETURN(YES) }, 4, 0, NO },
	{ { LOAD(nr), UNLESS(BPF_JEQ, 8), RETURN(NO), RETURN(YES) },
	  4,
	  0,
	  YES },
	{ { LOAD(arch), UNLESS(BPF_JSET, 0x80000000), RETURN(YES), RETURN(NO) },
	  4,
	  0,
	  YES },
	{ { LOAD(nr), UNLESS(BPF_JGT, 9), RETURN(NO), UNLESS(BPF_JGE, 9),
	    RETURN(YES), RETURN(NO) },
	  6,
	  0,
	  YES },
	/* Both halves of a 64-bit argument can be read. */
	{ { LOAD(args[5]), UNLESS(BPF_JEQ, 5),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, AT(args[5]) + 4),
	    UNLESS(BPF_JEQ, 1), RETURN(YES), RETURN(NO) },
	  6,
	  0,
	  YES },
	/* ((10 + 3) * 2 - 1 | 32) ^ 1, / 7, << 2, >> 1, & 0xff: 16 */
	{ { LOAD(args[0]), ALU(BPF_ADD, 3), ALU(BPF_MUL, 2), ALU(BPF_SUB, 1),
	    ALU(BPF_OR, 32), ALU(BPF_XOR, 1), ALU(BPF_DIV, 7), ALU(BPF_LSH, 2),
	    ALU(BPF_RSH, 1), ALU(BPF_AND, 0xff), BPF_STMT(BPF_RET | BPF_A, 0) },
	  11,
	  0,
	  16 },
	/* Instructions that use BPF's scratch memory and its index register. */
	{ { LOAD(args[1]), BPF_STMT(BPF_ST, 3), LOAD(args[2]),
	    BPF_STMT(BPF_LDX | BPF_W | BPF_MEM, 3),
	    BPF_STMT(BPF_ALU | BPF_SUB | BPF_X, 0),
	    BPF_STMT(BPF_RET | BPF_A, 0) },
	  6,
	  0,
	  1 },
	{ { BPF_STMT(BPF_LD | BPF_IMM, 7), BPF_STMT(BPF_MISC | BPF_TAX, 0),
	    BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0), BPF_STMT(BPF_STX, 1),
	    BPF_STMT(BPF_MISC | BPF_TXA, 0), BPF_STMT(BPF_ALU | BPF_NEG, 0),
	    BPF_STMT(BPF_RET | BPF_A, 0) },
	  7,
	  0,
	  (uint32_t)-7 },
	{ { BPF_STMT(BPF_JMP | BPF_JA, 1), RETURN(NO), RETURN(YES) },
	  3,
	  0,
	  YES },
	/* Policies that cannot be evaluated. */
	{ { LOAD(instruction_pointer), RETURN(YES) }, 2, -ENOTSUP, 0 },
	{ { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 12), RETURN(YES) },
	  2,
	  -ENOTSUP,
	  0 },
	{ { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 64), RETURN(YES) },
	  2,
	  -ENOTSUP,
	  0 },
	{ { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 2), RETURN(YES) },
	  2,
	  -ENOTSUP,
	  0 },
	{ { BPF_STMT(BPF_LD | BPF_B | BPF_IND, 0), RETURN(YES) },
	  2,
	  -ENOTSUP,
	  0 },
	{ { BPF_STMT(BPF_ST, 16), RETURN(YES) }, 2, -ENOTSUP, 0 },
	{ { BPF_STMT(BPF_LD | BPF_MEM, 16), RETURN(YES) }, 2, -ENOTSUP, 0 },
	{ { BPF_STMT(BPF_ALU | BPF_DIV | BPF_X, 0), RETURN(YES) },
	  2,
	  -ENOTSUP,
	  0 },
	{ { BPF_STMT(BPF_JMP | BPF_JA, 0xffffffff), RETURN(YES) },
	  2,
	  -ENOTSUP,
	  0 },
	{ { BPF_STMT(BPF_JMP | BPF_JA, 5), RETURN(YES) }, 2, -ENOTSUP, 0 },
	{ { LOAD(nr) }, 1, -ENOTSUP, 0 },
};

START_TEST(says)
{
	const struct policy *p = &policies[_i];
	uint32_t answer = 0;

	ck_assert_int_eq(bpf_run(p->program, p->count, &call, &answer),
			 p->result);
	ck_assert_uint_eq(answer, p->answer);
}
END_TEST

Suite *
bpf_suite(void)
{
	Suite *suite = suite_create("bpf");
	TCase *tests = tcase_create("bpf");

	tcase_add_loop_test(tests, says, 0, (int)array_size(policies));
	suite_add_tcase(suite, tests);
	return suite;
}
