/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The code of the meters is assembled into xtrace as constants, and copied
 * into the program with four words and the displaced instructions behind it:
 *
 *	save	push the registers that are needed, and the flags
 *		(saved_flags.h)
 *	body	each doubt leads to stop
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
#include "arch/x86_64/meter.h"

#include "arch/x86_64/emit.h"
#include "arch/x86_64/relocate.h"
#include "arch/x86_64/saved_flags.h"
#include "arch/x86_64/window.h"
#include "base/attr.h"

#include <assert.h>
#include <errno.h>
#include <stddef.h>
#include <string.h>
#include <sys/auxv.h>

#define RED_ZONE 128u
#define WORD 8u
#define HWCAP2_FSGSBASE 2u

/* The assembler code below contains these numbers. */
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
	"	lea 168(%rsp),%rdi\n"	/* where the address was */          \
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

__asm__(".pushsection meters, \"a\", @progbits\n"
	ENTRY_BEGIN("meter_entry")
	ENTRY_END("meter_entry")
	ENTRY_BEGIN("meter_keep")
	"	mov (%rsp),%rax\n"		/* rdi */
	"	mov %rax,0x2808(%rcx)\n"
	"	mov 8(%rsp),%rax\n"		/* rsi */
	"	mov %rax,0x2810(%rcx)\n"
	"	mov 16(%rsp),%rax\n"		/* rdx */
	"	mov %rax,0x2818(%rcx)\n"
	"	mov 24(%rsp),%rax\n"		/* rcx */
	"	mov %rax,0x2820(%rcx)\n"
	"	mov %r8,0x2828(%rcx)\n"
	"	mov %r9,0x2830(%rcx)\n"
	ENTRY_END("meter_keep")
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
	"	mov %rdx,%rax\n"		/* meter_step() */
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
LABELS(meter_select);
LABEL(meter_select_pushed0);
LABEL(meter_select_passed);

/* Registers are pushed in this order. */
enum {
	PUSHED_RAX = 1,
	PUSHED_FLAGS,
	PUSHED_RCX,
	PUSHED_RDX,
	PUSHED_RSI,
	PUSHED_RDI,
	PUSHED_ALL = PUSHED_RDI
};

struct template
{
	const uint8_t *start;
	/* From here on the stack pointer is below the red zone; or NULL. */
	const uint8_t *zone;
	/* address behind the push of each register */
	const uint8_t *pushed[PUSHED_ALL];
	const uint8_t *restore, *stop, *trap, *words, *end;
};

#define TEMPLATE(name, zone)                                                \
	{                                                                   \
		name, zone,                                                 \
			{ name##_pushed1, name##_pushed2, name##_pushed3,   \
			  name##_pushed4, name##_pushed5, name##_pushed6 }, \
			name##_restore, name##_stop, name##_trap,           \
			name##_words, name##_end                            \
	}

static const struct template entry = TEMPLATE(meter_entry, NULL);
static const struct template return_ =
	TEMPLATE(meter_return, meter_return_pushed0);
static const struct template whole = TEMPLATE(meter_whole, meter_whole_pushed0);
static const struct template keep = TEMPLATE(meter_keep, NULL);
static const struct template select_ =
	TEMPLATE(meter_select, meter_select_pushed0);

static const struct template *
template_of(enum check_kind kind)
{
	switch (kind) {
	case CHECK_METER_ENTRY:
		return &entry;
	case CHECK_METER_WHOLE:
		return &whole;
	case CHECK_METER_KEEP:
		return &keep;
	case CHECK_METER_SELECT:
		return &select_;
	default:
		return &return_;
	}
}

/* What a meter has written when a thread is at `from` or behind it. In each
 * table the last instruction comes first, and the last row is for a thread
 * before any write. */
struct written_part {
	const uint8_t *from;
	enum meter_written written;
};

static const struct written_part written_in_return[] = {
	{ meter_return_calls, METER_CALLS },
	{ meter_return_ticks, METER_TICKS },
	{ meter_return, METER_NOTHING },
};
static const struct written_part written_in_whole[] = {
	{ meter_whole_most, METER_MOST },   { meter_whole_own, METER_OWN },
	{ meter_whole_inner, METER_INNER }, { meter_whole_step, METER_STEP },
	{ meter_whole_calls, METER_CALLS }, { meter_whole_ticks, METER_TICKS },
	{ meter_whole, METER_NOTHING },
};

static const struct written_part written_in_select[] = {
	{ meter_select_passed, METER_PASSED },
	{ meter_select, METER_NOTHING },
};

/* Of a return. */
static const struct written_part *
written_parts(enum check_kind kind)
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

static bool
possible(void)
{
	return getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE && saved_flags_possible();
}

int
x86_64_meter(const struct code *from, const struct check_condition *meter,
	     addr_t at, struct check *ret_check)
{
	const struct relocate_limits limits = { .cover = JUMP_LENGTH };
	const struct template *code = template_of(meter->kind);
	struct check check = { .kind = meter->kind };
	struct emitter emitter;
	int r;

	if (!possible())
		return -ENOTSUP;
	emitter_init(&emitter, check.bytes, sizeof(check.bytes), at);
	emit_bytes(&emitter, code->start, (size_t)(code->words - code->start));
	check.stop = (uint16_t)(code->stop - code->start);
	check.trap = (uint16_t)(code->trap - code->start);
	check.words = (uint16_t)emitter.length;
	emit_u64(&emitter, meter->number);
	emit_u64(&emitter, meter->size);
	emit_u64(&emitter, from->at);
	emit_u64(&emitter, METER_MULTIPLIER);
	check.slot = (uint16_t)emitter.length;
	r = x86_64_relocate(from, emitter_pc(&emitter), &limits,
			    &check.displaced, NULL);
	if (r < 0)
		return r;
	emit_bytes(&emitter, check.displaced.bytes, check.displaced.length);
	check.length = (uint16_t)emitter.length;
	*ret_check = check;
	return 0;
}

/* ---- the way back ---------------------------------------------------------*/

struct meter_held {
	unsigned pushed;
	bool flags; /* the flags are in rax */
	bool zone;
};

/* What is saved at this offset from a label `restore` or `stop`. The
 * instructions there are five pops, add (2 bytes), sahf, pop; and lea (8 bytes)
 * if there is a zone. */
static struct meter_held
held_restoring(const struct template *code, size_t offset)
{
	struct meter_held held = { .zone = code->zone && offset < 17 };

	if (offset < 5)
		held.pushed = PUSHED_ALL - (unsigned)offset;
	else if (offset < 9)
		held = (struct meter_held){ PUSHED_RAX, offset < 8, held.zone };
	return held;
}

static struct meter_held
held_at(const struct template *code, size_t offset)
{
	const uint8_t *at = code->start + offset;
	struct meter_held held = { .zone = code->zone && at >= code->zone };

	if (at >= code->stop)
		return held_restoring(code, (size_t)(at - code->stop));
	if (at >= code->restore)
		return held_restoring(code, (size_t)(at - code->restore));
	while (held.pushed < PUSHED_ALL && at >= code->pushed[held.pushed])
		held.pushed++;
	return held;
}

/* The word that was the n-th one pushed. */
static void
take_word(struct user_regs_struct *gpr, unsigned n, uint64_t word)
{
	switch (n) {
	case PUSHED_RAX:
		gpr->rax = word;
		break;
	case PUSHED_FLAGS:
		gpr->eflags = saved_flags_restored(gpr->eflags, word);
		break;
	case PUSHED_RCX:
		gpr->rcx = word;
		break;
	case PUSHED_RDX:
		gpr->rdx = word;
		break;
	case PUSHED_RSI:
		gpr->rsi = word;
		break;
	default:
		gpr->rdi = word;
		break;
	}
}

bool
x86_64_meter_undo(const struct check *check, size_t offset,
		  struct reader *memory, struct regs *regs)
{
	const struct template *code = template_of(check->kind);
	struct meter_held held = held_at(code, offset);
	struct user_regs_struct gpr = regs->gpr;

	if (held.flags)
		gpr.eflags = saved_flags_restored(gpr.eflags, gpr.rax);
	for (unsigned n = held.pushed; n >= PUSHED_RAX; n--) {
		uint64_t word;

		if (reader_u64(memory, gpr.rsp, &word) < 0)
			return false;
		take_word(&gpr, n, word);
		gpr.rsp += WORD;
	}
	if (held.zone)
		gpr.rsp += RED_ZONE;
	regs->gpr = gpr;
	return true;
}

enum meter_written
x86_64_meter_written(const struct check *check, size_t offset)
{
	const struct template *code = template_of(check->kind);
	const uint8_t *at = code->start + offset;
	const struct written_part *part;

	if (at >= code->stop && offset != check->slot)
		return METER_NOTHING;
	if (at >= code->restore)
		return check_is_meter_entry(check->kind) ? METER_OPENED
							 : METER_IF_ADDED;
	if (check_is_meter_entry(check->kind))
		return METER_NOTHING;
	part = written_parts(check->kind);
	while (at < part->from)
		part++;
	return part->written;
}

uint64_t
x86_64_ticks(void)
{
	return __builtin_ia32_rdtsc();
}
