/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of the meters is assembled into xtrace as constants, and copied
 * into the program with four words and the displaced instructions behind it:
 *
 *	save	push the registers that are needed, and the flags
 *		(saved_flags.h)
 *	body	whatever is not certain leads to stop
 *	restore
 *		jmp displaced
 *	stop	restore
 *		trap
 *	words	the area; the offset of the sums; the site; the multiplier
 *	displaced
 *
 * All of it is relative to the pc, so nothing in the code changes. Labels in
 * the code tell what is on the stack and what has been written from there on.
 * With them a thread that is inside a meter can be moved back to the site.
 *
 * At a function's entry nothing below the stack pointer is in use. At a return
 * address the red zone may be, because code may also come there by a jump.
 *
 * rdfsbase reads the thread pointer without a load, so it cannot fault. The
 * kernel allows it if bit 1 of AT_HWCAP2 is set (Linux,
 * Documentation/arch/x86/x86_64/fsgs.rst).
 */
#include "arch/x86_64/meter_code.h"

#include "arch/x86_64/meter_asm.h"
#include "base/attr.h"

#include <assert.h>
#include <stddef.h>

/* The assembler code of the meters contains the numbers that follow. */
static_assert(METER_RETURN_BITS == 13 && METER_THREAD_BITS == 10 &&
		      METER_WAYS == 2,
	      "shifts");
static_assert(offsetof(struct meter_tables, threads) == 0x20000 &&
		      sizeof(struct meter_thread) == 16,
	      "tables");
static_assert(offsetof(struct meter_block, low) == 8 &&
		      offsetof(struct meter_block, full) == 16 &&
		      offsetof(struct meter_block, added) == 24,
	      "block");
static_assert(sizeof(struct meter_open) == 64 &&
		      offsetof(struct meter_open, return_address) == 8 &&
		      offsetof(struct meter_open, began) == 16 &&
		      offsetof(struct meter_open, sums) == 24 &&
		      offsetof(struct meter_open, took) == 32 &&
		      offsetof(struct meter_open, inner) == 40 &&
		      offsetof(struct meter_open, step) == 48 &&
		      offsetof(struct meter_open, most) == 56,
	      "open call");
static_assert(offsetof(struct meter_sum, ticks) == 8, "sums");
static_assert(offsetof(struct meter_whole, ticks) == 8 &&
		      offsetof(struct meter_whole, own) == 16 &&
		      offsetof(struct meter_whole, most) == 24 &&
		      offsetof(struct meter_whole, steps) == 128 &&
		      METER_STEP_BITS == 5,
	      "sums with a histogram");
static_assert(METER_KEPT == 0x27c0 &&
		      offsetof(struct meter_block, kept) -
				      offsetof(struct meter_block, open) ==
			      METER_KEPT &&
		      sizeof(struct meter_kept) == 64 &&
		      offsetof(struct meter_kept, arguments) == 8 &&
		      offsetof(struct meter_block, passed) == 32,
	      "what is kept");
static_assert(sizeof(struct meter_test) == 32 &&
		      offsetof(struct meter_select, tests) == 32 &&
		      METER_TESTS == 3,
	      "tests");
static_assert(sizeof(struct meter_text) == 40 && METER_TEXTS == 2 &&
		      offsetof(struct meter_select, texts) == 128 &&
		      offsetof(struct meter_selects, pages) == 0x28000 &&
		      METER_PAGE_BITS == 12 &&
		      offsetof(struct meter_kept, all) == 56 &&
		      offsetof(struct meter_block, texts) == 0x5000 &&
		      METER_TEXT_ROOM == 1024,
	      "texts");

static_assert(offsetof(struct meter_query, texts) ==
			      offsetof(struct meter_select, texts) &&
		      offsetof(struct meter_query, handle) == 8 &&
		      offsetof(struct meter_query, idle) == 16 &&
		      offsetof(struct meter_query, pending) == 24 &&
		      offsetof(struct meter_query, next) == 32 &&
		      offsetof(struct meter_query, low) == 40 &&
		      offsetof(struct meter_query, shift) == 48 &&
		      offsetof(struct meter_query, most) == 56 &&
		      offsetof(struct meter_query, offset) == 72 &&
		      offsetof(struct meter_query, linked) == 80 &&
		      offsetof(struct meter_query, link) == 88 &&
		      METER_ACT_JOIN == 2 && METER_ACT_BEGIN_NEXT == 4 &&
		      METER_CELL_ANSWERED == 1 && METER_CELL_SAME == 3,
	      "functions of queries");
static_assert(sizeof(struct meter_cell) == 4096 &&
		      offsetof(struct meter_cell, total) == 8 &&
		      offsetof(struct meter_cell, count) == 16 &&
		      offsetof(struct meter_cell, head) == 24 &&
		      offsetof(struct meter_cell, began) == 32 &&
		      offsetof(struct meter_cell, function) == 40 &&
		      offsetof(struct meter_cell, sp) == 48 &&
		      offsetof(struct meter_cell, return_address) == 56 &&
		      offsetof(struct meter_cell, kept) == 64 &&
		      offsetof(struct meter_cell, last) == 128 &&
		      offsetof(struct meter_cell, tested) == 144 &&
		      offsetof(struct meter_cell, handle) == 152 &&
		      offsetof(struct meter_cell, texts) == 1024,
	      "cells");
static_assert(offsetof(struct meter_queries, pages) == 0x28000 &&
		      offsetof(struct meter_queries, handles) == 0x38000 &&
		      offsetof(struct meter_queries, followed) == 0x40000 &&
		      METER_HANDLE_BITS == 10,
	      "the area of queries");

/* clang-format off */
__asm__(".pushsection meters, \"a\", @progbits\n"
	ENTRY_BEGIN("meter_entry")
	ENTRY_END("meter_entry")
	ENTRY_BEGIN("meter_keep")
	KEEP
	ENTRY_END("meter_keep")
	ENTRY_BEGIN("meter_texts")
	KEEP
	"	movq $-1,0x2838(%rcx)\n"
	"	mov %rsi,96(%rcx)\n"
	COPY_FROM_CALL("0")
	COPY_FROM_CALL("1")
	ENTRY_END("meter_texts")
	"	int3\n"
	"	.balign 16\n"
	"meter_within:\n"
	SAVE("meter_within")
	FIND_BLOCK("meter_within")
	FIND_PLACE("meter_within")
	"	lea 64(%rsi),%rax\n"
	"	cmp %rax,%rcx\n"
	"	je meter_within_stop\n"
	IS_LIVE
	"	jne meter_within_stop\n"
	RESTORE("meter_within")
	"	jmp meter_within_end\n"
	"meter_within_stop:\n"
	RESTORE("meter_within_stop")
	"meter_within_trap:\n"
	"	int3\n"
	"	int3\n"
	WORDS("meter_within")
	"	int3\n"
	"	.balign 16\n"
	"meter_query:\n"
	SAVE("meter_query")
	FIND_BLOCK("meter_query")
	"	movq $0,24(%rsi)\n"
	FIND_PLACE("meter_query")
	"	lea 64(%rsi),%rax\n"		/* within a query's call? */
	"	cmp %rax,%rcx\n"
	"	je 11f\n"
	IS_LIVE
	"	je meter_query_restore\n"
	"	jmp meter_query_stop\n"
	"11:	mov 32(%rcx),%rdx\n"		/* within a followed one? */
	"	test %rdx,%rdx\n"
	"	je 12f\n"
	"	mov 48(%rcx),%rax\n"
	"	cmp (%rax),%rdx\n"
	"	jne meter_query_stop\n"
	"12:	mov %rsi,96(%rcx)\n"
	KEEP
	"	movq $-1,0x2838(%rcx)\n"
	"	mov meter_query_words+8(%rip),%rax\n"
	"	add meter_query_words(%rip),%rax\n"
	"	mov 8(%rax),%rdx\n"
	"	mov 64(%rcx,%rdx),%rdx\n"	/* the handle */
	"	cmpq $0,80(%rax)\n"
	"	je 13f\n"
	"	test %rdx,%rdx\n"		/* or an object that has it */
	"	je meter_query_stop\n"
	"	add 88(%rax),%rdx\n"
	"	mov (%rdx),%rdx\n"
	"13:	test %rdx,%rdx\n"
	"	je meter_query_stop\n"
	"	mov meter_query_words+24(%rip),%rdi\n"
	"	imul %rdx,%rdi\n"
	"	shr $54,%rdi\n"
	"	shl $5,%rdi\n"
	"	add meter_query_words(%rip),%rdi\n"
	"	cmp 0x38000(%rdi),%rdx\n"
	"	je 3f\n"
	"	add $16,%rdi\n"
	"	cmp 0x38000(%rdi),%rdx\n"
	"	je 3f\n"
	"	mov 16(%rax),%rdx\n"		/* no cell */
	"	test %rdx,%rdx\n"
	"	jne meter_query_stop\n"
	"	jmp 4f\n"
	"3:	mov 0x38008(%rdi),%rdi\n"	/* the cell */
	"	test %rdi,%rdi\n"
	"	je meter_query_stop\n"
	"	mov %rdi,104(%rcx)\n"
	"	cmp 152(%rdi),%rdx\n"		/* still this handle's? */
	"	jne meter_query_stop\n"
	"	mov 16(%rax),%rdx\n"
	"	cmpq $0,(%rdi)\n"
	"	je 4f\n"
	"	mov 24(%rax),%rdx\n"
	"4:	test %rdx,%rdx\n"
	"	jne 20f\n"
	"	mov meter_query_words(%rip),%rax\n"
	"	cmpq $0,0x40000(%rax)\n"
	"	je meter_query_restore\n"
	"	jmp meter_query_stop\n"
	"20:	cmp $2,%rdx\n"
	"	jb meter_query_stop\n"
	"	cmp $4,%rdx\n"
	"	jne 5f\n"
	"	cmpq $1,(%rdi)\n"
	"	jne meter_query_stop\n"
	"5:	mov %rdx,80(%rcx)\n"
	"	lea 48(%rsp),%rdi\n"
	BEGIN_OPEN("meter_query")
	"	cmpq $2,80(%rcx)\n"
	"	je 21f\n"
	"	mov 104(%rcx),%rdi\n"
	"	movq $0,(%rdi)\n"
	"	movq $0,8(%rdi)\n"
	"	movq $0,16(%rdi)\n"
	KEEP_IN_CELL("0")
	KEEP_IN_CELL("1")
	KEEP_IN_CELL("2")
	KEEP_IN_CELL("3")
	KEEP_IN_CELL("4")
	KEEP_IN_CELL("5")
	"	movq $-1,120(%rdi)\n"
	COPY_FROM_QUERY("0")
	COPY_FROM_QUERY("1")
	"21:	movq $1,24(%rsi)\n"
	ENTRY_END("meter_query")
	RETURN_BEGIN("meter_return")
	"	sub 16(%rcx),%rdx\n"
	"	mov %rdx,32(%rcx)\n"
	"	mov 24(%rcx),%rax\n"
	"	movq $1,24(%rsi)\n"
	"	add %rdx,8(%rsi,%rax)\n"
	"meter_return_ticks:\n"
	"	incq (%rsi,%rax)\n"
	"meter_return_calls:\n"
	"	sub $64,%rcx\n"
	"	mov %rcx,(%rsi)\n"
	RETURN_END("meter_return")
	RETURN_BEGIN("meter_whole")
	"	mov %rcx,%rdi\n"		/* the open call */
	"	sub 16(%rdi),%rdx\n"
	"	cmp meter_whole_words+8(%rip),%rdx\n"
	"	jae meter_whole_stop\n"
	"	mov %rdx,32(%rdi)\n"
	"	mov %rdx,%rax\n"		/* as meter_step() */
	"	or $32,%rax\n"
	"	bsr %rax,%rcx\n"
	"	sub $5,%ecx\n"
	"	mov %rdx,%rax\n"
	"	shr %cl,%rax\n"
	"	shl $5,%ecx\n"
	"	add %ecx,%eax\n"
	"	mov %rax,48(%rdi)\n"
	"	mov 24(%rdi),%rcx\n"
	"	add %rsi,%rcx\n"		/* the sums */
	"	mov 24(%rcx),%rdx\n"
	"	mov %rdx,56(%rdi)\n"
	"	mov 32(%rdi),%rdx\n"
	"	movq $1,24(%rsi)\n"
	"	add %rdx,8(%rcx)\n"
	"meter_whole_ticks:\n"
	"	incq (%rcx)\n"
	"meter_whole_calls:\n"
	"	incl 128(%rcx,%rax,4)\n"
	"meter_whole_step:\n"
	"	add %rdx,-24(%rdi)\n"
	"meter_whole_inner:\n"
	"	mov %rdx,%rax\n"
	"	sub 40(%rdi),%rax\n"
	"	add %rax,16(%rcx)\n"
	"meter_whole_own:\n"
	"	cmp 56(%rdi),%rdx\n"
	"	jbe 3f\n"
	"	mov %rdx,24(%rcx)\n"
	"3:\n"
	"meter_whole_most:\n"
	"	sub $64,%rdi\n"
	"	mov %rdi,(%rsi)\n"
	RETURN_END("meter_whole")
	RETURN_BEGIN("meter_select")
	"	mov %rcx,%rdi\n"		/* the open call */
	"	sub 16(%rdi),%rdx\n"
	"	mov 24(%rdi),%rax\n"
	"	add meter_select_words(%rip),%rax\n"
	"	cmp (%rax),%rdx\n"
	"	jb 4f\n"
	"	mov 40(%rsp),%rdx\n"		/* rax, the result */
	"	mov %rdx,0x27c0(%rdi)\n"
	TEST("0")
	TEST("1")
	TEST("2")
	"	jmp meter_select_stop\n"
	"4:	movq $1,24(%rsi)\n"
	"	incq 32(%rsi)\n"
	"meter_select_passed:\n"
	"	sub $64,%rdi\n"
	"	mov %rdi,(%rsi)\n"
	RETURN_END("meter_select")
	RETURN_BEGIN("meter_answer")
	"	mov %rcx,%rdi\n"		/* the open call */
	"	mov 40(%rdi),%rcx\n"		/* the cell */
	"	cmpq $0,152(%rcx)\n"
	"	je meter_answer_stop\n"
	"	mov 24(%rdi),%rax\n"
	"	add meter_answer_words(%rip),%rax\n"
	"	cmpq $2,(%rcx)\n"
	"	jne 3f\n"
	"	sub 32(%rcx),%rdx\n"		/* since the query began */
	"	jmp 4f\n"
	"3:	sub 16(%rdi),%rdx\n"
	"	add 8(%rcx),%rdx\n"
	"4:	cmp (%rax),%rdx\n"
	"	jae meter_answer_stop\n"
	"	mov (%rcx),%rax\n"
	"	mov %rax,32(%rdi)\n"
	"	mov 8(%rcx),%rax\n"
	"	mov %rax,48(%rdi)\n"
	"	mov 16(%rcx),%rax\n"
	"	mov %rax,56(%rdi)\n"
	"	movq $1,24(%rsi)\n"
	"	mov %rdx,8(%rcx)\n"
	"meter_answer_cell:\n"
	"	incq 16(%rcx)\n"
	"	cmpq $0,32(%rdi)\n"
	"	jne 5f\n"
	"	mov %rdx,24(%rcx)\n"		/* the first call of the query */
	"	mov 16(%rdi),%rax\n"
	"	mov %rax,32(%rcx)\n"
	"	mov 24(%rdi),%rax\n"
	"	mov %rax,40(%rcx)\n"
	"	mov (%rdi),%rax\n"
	"	mov %rax,48(%rcx)\n"
	"	mov 8(%rdi),%rax\n"
	"	mov %rax,56(%rcx)\n"
	"	mov 40(%rsp),%rax\n"
	"	mov %rax,64(%rcx)\n"
	"5:	mov 24(%rdi),%rax\n"
	"	mov %rax,128(%rcx)\n"
	"	add meter_answer_words(%rip),%rax\n"
	"	mov 40(%rsp),%rdx\n"		/* rax, the result */
	"	mov %rdx,136(%rcx)\n"
	"	cmpq $0,64(%rax)\n"
	"	je 8f\n"
	"	test %rdx,%rdx\n"
	"	je 6f\n"
	"	add 72(%rax),%rdx\n"
	"	mov (%rdx),%edx\n"
	"8:	cmpq $0,32(%rdi)\n"
	"	jne 9f\n"
	"	mov %rdx,144(%rcx)\n"
	"9:	sub 40(%rax),%rdx\n"
	"	mov 48(%rax),%rcx\n"
	"	shl %cl,%rdx\n"
	"	mov 40(%rdi),%rcx\n"
	"	cmp 56(%rax),%rdx\n"
	"	jbe 6f\n"
	"	movq $0,(%rcx)\n"
	"	jmp 7f\n"
	"6:	mov 32(%rax),%rdx\n"
	"	cmp $3,%rdx\n"
	"	je 7f\n"
	"	mov %rdx,(%rcx)\n"
	"7:	incq 32(%rsi)\n"
	"meter_answer_passed:\n"
	"	sub $64,%rdi\n"
	"	mov %rdi,(%rsi)\n"
	RETURN_END("meter_answer")
	".popsection\n");
/* clang-format on */

#define LABEL(name) extern const uint8_t name[]
#define LABELS(name)           \
	LABEL(name);           \
	LABEL(name##_pushed1); \
	LABEL(name##_pushed2); \
	LABEL(name##_pushed3); \
	LABEL(name##_pushed4); \
	LABEL(name##_pushed5); \
	LABEL(name##_pushed6); \
	LABEL(name##_restore); \
	LABEL(name##_stop);    \
	LABEL(name##_trap);    \
	LABEL(name##_words);   \
	LABEL(name##_end)

LABELS(meter_entry);
LABELS(meter_return);
LABEL(meter_return_pushed0);
LABEL(meter_return_ticks);
LABEL(meter_return_calls);
LABELS(meter_whole);
LABEL(meter_whole_pushed0);
LABEL(meter_whole_ticks);
LABEL(meter_whole_calls);
LABEL(meter_whole_step);
LABEL(meter_whole_inner);
LABEL(meter_whole_own);
LABEL(meter_whole_most);
LABELS(meter_keep);
LABELS(meter_texts);
LABELS(meter_select);
LABEL(meter_select_pushed0);
LABEL(meter_select_passed);
LABELS(meter_within);
LABELS(meter_query);
LABELS(meter_answer);
LABEL(meter_answer_pushed0);
LABEL(meter_answer_cell);
LABEL(meter_answer_passed);

#define TEMPLATE(name, zone)                                                \
	{                                                                   \
		name, zone,                                                 \
			{ name##_pushed1, name##_pushed2, name##_pushed3,   \
			  name##_pushed4, name##_pushed5, name##_pushed6 }, \
			name##_restore, name##_stop, name##_trap,           \
			name##_words, name##_end                            \
	}

static const struct meter_template entry = TEMPLATE(meter_entry, NULL);
static const struct meter_template return_ =
	TEMPLATE(meter_return, meter_return_pushed0);
static const struct meter_template whole =
	TEMPLATE(meter_whole, meter_whole_pushed0);
static const struct meter_template keep = TEMPLATE(meter_keep, NULL);
static const struct meter_template texts = TEMPLATE(meter_texts, NULL);
static const struct meter_template select_ =
	TEMPLATE(meter_select, meter_select_pushed0);
static const struct meter_template within = TEMPLATE(meter_within, NULL);
static const struct meter_template query = TEMPLATE(meter_query, NULL);
static const struct meter_template answer =
	TEMPLATE(meter_answer, meter_answer_pushed0);

const struct meter_template *
x86_64_meter_template(enum check_kind kind)
{
	switch (kind) {
	case CHECK_METER_ENTRY:
		return &entry;
	case CHECK_METER_WHOLE:
		return &whole;
	case CHECK_METER_KEEP:
		return &keep;
	case CHECK_METER_TEXTS:
		return &texts;
	case CHECK_METER_SELECT:
		return &select_;
	case CHECK_METER_WITHIN:
		return &within;
	case CHECK_METER_QUERY:
		return &query;
	case CHECK_METER_ANSWER:
		return &answer;
	default:
		return &return_;
	}
}

static const struct meter_part written_in_return[] = {
	{ meter_return_calls, METER_CALLS },
	{ meter_return_ticks, METER_TICKS },
	{ meter_return, METER_NOTHING },
};
static const struct meter_part written_in_whole[] = {
	{ meter_whole_most, METER_MOST },   { meter_whole_own, METER_OWN },
	{ meter_whole_inner, METER_INNER }, { meter_whole_step, METER_STEP },
	{ meter_whole_calls, METER_CALLS }, { meter_whole_ticks, METER_TICKS },
	{ meter_whole, METER_NOTHING },
};

static const struct meter_part written_in_select[] = {
	{ meter_select_passed, METER_PASSED },
	{ meter_select, METER_NOTHING },
};
static const struct meter_part written_in_answer[] = {
	{ meter_answer_passed, METER_PASSED },
	{ meter_answer_cell, METER_CELL },
	{ meter_answer, METER_NOTHING },
};

const struct meter_part *
x86_64_meter_parts(enum check_kind kind)
{
	switch (kind) {
	case CHECK_METER_WHOLE:
		return written_in_whole;
	case CHECK_METER_SELECT:
		return written_in_select;
	case CHECK_METER_ANSWER:
		return written_in_answer;
	default:
		return written_in_return;
	}
}
