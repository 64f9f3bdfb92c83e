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

/* clang-format off */
#define SAVE(name)                                                           \
	"	push %rax\n"                                                   \
	name "_pushed1:\n"                                                   \
	"	lahf\n"                                                        \
	"	seto %al\n"                                                    \
	"	push %rax\n"                                                   \
	name "_pushed2:\n"                                                   \
	"	push %rcx\n"                                                   \
	name "_pushed3:\n"                                                   \
	"	push %rdx\n"                                                   \
	name "_pushed4:\n"                                                   \
	"	push %rsi\n"                                                   \
	name "_pushed5:\n"                                                   \
	"	push %rdi\n"                                                   \
	name "_pushed6:\n"

#define RESTORE(name)                                                        \
	name "_restore:\n"                                                   \
	"	pop %rdi\n"                                                    \
	"	pop %rsi\n"                                                    \
	"	pop %rdx\n"                                                    \
	"	pop %rcx\n"                                                    \
	"	pop %rax\n"                                                    \
	"	add $0x7f,%al\n"                                               \
	"	sahf\n"                                                        \
	"	pop %rax\n"

/* rsi := the block of the thread */
#define FIND_BLOCK(name)                                                     \
	"	rdfsbase %rcx\n"                                               \
	"	test %rcx,%rcx\n"                                              \
	"	je " name "_stop\n"                                            \
	"	mov " name "_words+24(%rip),%rax\n"                            \
	"	imul %rcx,%rax\n"                                              \
	"	shr $54,%rax\n"                                                \
	"	shl $5,%rax\n"                                                 \
	"	add " name "_words(%rip),%rax\n"                               \
	"	cmp 0x20000(%rax),%rcx\n"                                       \
	"	je 1f\n"                                                       \
	"	add $16,%rax\n"                                                \
	"	cmp 0x20000(%rax),%rcx\n"                                       \
	"	jne " name "_stop\n"                                           \
	"1:	mov 0x20008(%rax),%rsi\n"

#define WORDS(name)                                                          \
	"	.balign 8, 0xcc\n"                                             \
	name "_words:\n"                                                     \
	"	.quad 0, 0, 0, 0\n"                                            \
	name "_end:\n"

/* rsi := the block; rcx := the last open call, which returns here; rdx := the
 * ticks now. (The byte before the label makes sure that no two labels have the
 * same address, which make/meters needs.) */
#define RETURN_BEGIN(name)                                                   \
	"	.byte 0xcc\n"                                                  \
	"	.balign 16\n"                                                  \
	name ":\n"                                                           \
	"	lea -128(%rsp),%rsp\n"                                         \
	name "_pushed0:\n"                                                   \
	SAVE(name)                                                           \
	"	rdtsc\n"                                                       \
	"	shl $32,%rdx\n"                                                \
	"	or %rax,%rdx\n"                                                \
	FIND_BLOCK(name)                                                     \
	"	movq $0,24(%rsi)\n"                                            \
	"	lea 168(%rsp),%rdi\n"	/* where the return address was */   \
	"	mov (%rsi),%rcx\n"                                             \
	"	cmp 8(%rsi),%rdi\n"                                            \
	"	jb " name "_stop\n"                                            \
	"	cmp (%rcx),%rdi\n"                                             \
	"	jb " name "_restore\n"                                         \
	"	jne " name "_stop\n"                                           \
	"	mov " name "_words+16(%rip),%rax\n"                            \
	"	cmp 8(%rcx),%rax\n"                                            \
	"	jne " name "_stop\n"

#define RETURN_END(name)                                                     \
	RESTORE(name)                                                        \
	"	lea 128(%rsp),%rsp\n"                                          \
	"	jmp " name "_end\n"                                            \
	name "_stop:\n"                                                      \
	RESTORE(name "_stop")                                                \
	"	lea 128(%rsp),%rsp\n"                                          \
	name "_trap:\n"                                                      \
	"	int3\n"                                                        \
	"	int3\n"                                                        \
	WORDS(name)

/* rcx := the last open call, behind which there is room for one more; rsi := the
 * block. What the new call has is written, except when it began. */
#define ENTRY_BEGIN(name)                                                    \
	"	.byte 0xcc\n"                                                  \
	"	.balign 16\n"                                                  \
	name ":\n"                                                           \
	SAVE(name)                                                           \
	FIND_BLOCK(name)                                                     \
	"	lea 48(%rsp),%rdi\n"	/* the stack pointer */              \
	"	mov (%rsi),%rcx\n"	/* the last open call */             \
	"	cmp (%rcx),%rdi\n"                                            \
	"	jae " name "_stop\n"                                          \
	"	cmp 8(%rsi),%rdi\n"                                           \
	"	jb " name "_stop\n"                                           \
	"	cmp 16(%rsi),%rcx\n"                                          \
	"	je " name "_stop\n"                                           \
	"	mov (%rdi),%rdx\n"	/* the return address */             \
	"	test %rdx,%rdx\n"                                             \
	"	je " name "_stop\n"                                           \
	"	mov " name "_words+24(%rip),%rax\n"                           \
	"	imul %rdx,%rax\n"                                             \
	"	shr $51,%rax\n"                                               \
	"	shl $4,%rax\n"                                                \
	"	add " name "_words(%rip),%rax\n"                              \
	"	cmp (%rax),%rdx\n"                                            \
	"	je 2f\n"                                                      \
	"	cmp 8(%rax),%rdx\n"                                           \
	"	jne " name "_stop\n"                                          \
	"2:	mov %rdi,64(%rcx)\n"                                          \
	"	mov %rdx,72(%rcx)\n"                                          \
	"	mov " name "_words+8(%rip),%rax\n"                            \
	"	mov %rax,88(%rcx)\n"                                          \
	"	movq $0,104(%rcx)\n"

#define ENTRY_END(name)                                                      \
	"	rdtsc\n"                                                      \
	"	shl $32,%rdx\n"                                               \
	"	or %rdx,%rax\n"                                               \
	"	mov %rax,80(%rcx)\n"                                          \
	"	add $64,%rcx\n"                                               \
	"	mov %rcx,(%rsi)\n"                                            \
	RESTORE(name)                                                        \
	"	jmp " name "_end\n"                                           \
	name "_stop:\n"                                                      \
	RESTORE(name "_stop")                                                \
	name "_trap:\n"                                                      \
	"	int3\n"                                                       \
	"	int3\n"                                                       \
	WORDS(name)

/* Passes if the test of number n does not hold for the open call at rdi. rax:
 * the struct meter_select */
#define TEST(n)                                                              \
	"	mov 32+32*" n "(%rax),%rcx\n"                                 \
	"	mov (%rdi,%rcx),%rdx\n"                                       \
	"	sub 40+32*" n "(%rax),%rdx\n"                                 \
	"	mov 48+32*" n "(%rax),%rcx\n"                                 \
	"	shl %cl,%rdx\n"                                               \
	"	cmp 56+32*" n "(%rax),%rdx\n"                                 \
	"	ja 4f\n"

/* Keeps the arguments, from the registers that SAVE pushed. */
#define KEEP                                                                 \
	"	mov (%rsp),%rax\n"                                                  \
	"	mov %rax,0x2808(%rcx)\n"                                            \
	"	mov 8(%rsp),%rax\n"                                                 \
	"	mov %rax,0x2810(%rcx)\n"                                            \
	"	mov 16(%rsp),%rax\n"                                                \
	"	mov %rax,0x2818(%rcx)\n"                                            \
	"	mov 24(%rsp),%rax\n"                                                \
	"	mov %rax,0x2820(%rcx)\n"                                            \
	"	mov %r8,0x2828(%rcx)\n"                                             \
	"	mov %r9,0x2830(%rcx)\n"

/* rdi is the last byte of a page. Jumps to `known` if the page is known to be
 * readable. Changes rdx. */
#define FIND_PAGE(known)                                                     \
	"	mov meter_texts_words+24(%rip),%rdx\n"                       \
	"	imul %rdi,%rdx\n"                                            \
	"	shr $52,%rdx\n"                                              \
	"	shl $4,%rdx\n"                                               \
	"	add meter_texts_words(%rip),%rdx\n"                          \
	"	cmp 0x28000(%rdx),%rdi\n"                                    \
	"	je " known "\n"                                              \
	"	cmp 0x28008(%rdx),%rdi\n"                                    \
	"	je " known "\n"

/*
 * Copies a text, which the n-th struct meter_text describes. rcx: the last open
 * call; rsi: the block. The text is read in whole words, so the first one may
 * begin before it, and a word is never in two pages. The members of the new
 * open call that an entry does not need are used for what has no register:
 *
 *	96	the block
 *	104	bytes of the first word that are before the text
 *	112	bytes that are needed, from the first word on
 *	120	bytes that may be copied: there is room, and they are readable
 *
 * If xtrace was killed, a signal handler may run here and call a function with
 * a meter, which writes the same members. So the number of bytes to read is in
 * a register from the test of the page on. The last word of the room keeps rcx;
 * the handler's calls write the same value there.
 */
#define COPY_TEXT(n)                                                         \
	"	mov meter_texts_words+8(%rip),%rdx\n"                        \
	"	add meter_texts_words(%rip),%rdx\n"                          \
	"	mov 128+40*" n "(%rdx),%rax\n"                               \
	"	test %rax,%rax\n"                                            \
	"	je 9f\n"                                                     \
	"	mov 64(%rcx,%rax),%rax\n"	/* the text's address */      \
	"	test %rax,%rax\n"                                            \
	"	je 9f\n"                                                     \
	"	mov 136+40*" n "(%rdx),%rdi\n"                               \
	"	mov 64(%rcx,%rdi),%rdi\n"	/* the text's length */       \
	"	and 144+40*" n "(%rdx),%rdi\n"                               \
	"	cmp 152+40*" n "(%rdx),%rdi\n"                               \
	"	jb 1f\n"                                                     \
	"	mov 152+40*" n "(%rdx),%rdi\n"                               \
	"1:	test %rdi,%rdi\n"                                            \
	"	je 9f\n"                                                     \
	"	mov %rax,%rsi\n"                                             \
	"	and $-8,%rsi\n"                                              \
	"	and $7,%eax\n"                                               \
	"	mov %rax,104(%rcx)\n"                                        \
	"	add %rax,%rdi\n"                                             \
	"	mov %rdi,112(%rcx)\n"                                        \
	"	mov $1016,%eax\n"                                            \
	"	cmp %rax,%rdi\n"                                             \
	"	jae 2f\n"                                                    \
	"	lea 7(%rdi),%rax\n"                                          \
	"	and $-8,%rax\n"                                              \
	"2:	mov %rsi,%rdi\n"                                             \
	"	or $0xfff,%rdi\n"                                            \
	FIND_PAGE("3f")                                                      \
	"	jmp meter_texts_stop\n"                                      \
	"3:	lea -1(%rsi,%rax),%rdx\n"                                    \
	"	cmp %rdi,%rdx\n"                                             \
	"	jbe 5f\n"                                                    \
	"	add $0x1000,%rdi\n"                                          \
	FIND_PAGE("5f")                                                      \
	"	lea -0xfff(%rdi),%rax\n"	/* up to the page's end */    \
	"	sub %rsi,%rax\n"                                             \
	"5:	mov %rax,120(%rcx)\n"                                        \
	"	mov 96(%rcx),%rdx\n"                                         \
	"	mov %rcx,%rdi\n"                                             \
	"	sub %rdx,%rdi\n"                                             \
	"	shl $5,%rdi\n"                                               \
	"	lea 0x5000+1024*" n "(%rdi,%rdx),%rdi\n"                     \
	"	mov %rcx,1016(%rdi)\n"                                       \
	"	mov %rax,%rdx\n"                                             \
	"	mov 104(%rcx),%rcx\n"                                        \
	"	shl $3,%ecx\n"                                               \
	"	mov $-1,%rax\n"                                              \
	"	shl %cl,%rax\n"                                              \
	"	not %rax\n"			/* ones before the text */     \
	"	mov (%rsi),%rcx\n"                                           \
	"	mov %rcx,(%rdi)\n"                                           \
	"	or %rcx,%rax\n"                                              \
	"	jmp 7f\n"                                                    \
	"6:	mov (%rsi),%rax\n"                                           \
	"	mov %rax,(%rdi)\n"                                           \
	"7:	movabs $0xfefefefefefefeff,%rcx\n" /* is one byte 0? */      \
	"	add %rax,%rcx\n"                                             \
	"	not %rax\n"                                                  \
	"	and %rax,%rcx\n"                                             \
	"	movabs $0x8080808080808080,%rax\n"                           \
	"	test %rax,%rcx\n"                                            \
	"	jne 8f\n"                                                    \
	"10:	add $8,%rsi\n"                                               \
	"	add $8,%rdi\n"                                               \
	"	sub $8,%rdx\n"                                               \
	"	jne 6b\n"                                                    \
	"	and $-1024,%rdi\n"                                           \
	"	mov 1016(%rdi),%rcx\n"                                       \
	"	mov 120(%rcx),%rax\n"                                        \
	"	cmp 112(%rcx),%rax\n"                                        \
	"	jb meter_texts_stop\n"                                       \
	"	jmp 9f\n"                                                    \
	"8:	mov meter_texts_words+8(%rip),%rax\n"                        \
	"	add meter_texts_words(%rip),%rax\n"                          \
	"	cmpq $0,160+40*" n "(%rax)\n"                                \
	"	je 10b\n"                                                    \
	"	mov %rdi,%rcx\n"                                             \
	"	and $-1024,%rcx\n"                                           \
	"	mov 1016(%rcx),%rcx\n"                                       \
	"9:	mov 96(%rcx),%rsi\n"

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
	COPY_TEXT("0")
	COPY_TEXT("1")
	ENTRY_END("meter_texts")
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

const struct meter_part *
x86_64_meter_parts(enum check_kind kind)
{
	switch (kind) {
	case CHECK_METER_WHOLE:
		return written_in_whole;
	case CHECK_METER_SELECT:
		return written_in_select;
	default:
		return written_in_return;
	}
}
