/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The loop's beginning is read in the order of its addresses:
 *
 *	lea  0xb0(%rsp),%rcx	the record is at rsp + 0xb0 ...
 *	mov  %rcx,0x38(%rdi)	... and is the thread's: the window begins
 *	...
 *	movups %xmm0,0xb8(%rsp)	its two words are filled: the window ends
 *	jne  ...
 *
 * What is stored may be written with one instruction or two, so the window
 * ends behind the last that names the words before the first jump. Compilers
 * reorder the source's lines (Python/ceval.c, _PyEval_EvalFrameDefault), but a
 * record can only become the thread's by its address.
 */
#include "stacks/python_x86_64.h"

#include "arch/x86_64/effect.h"
#include "arch/x86_64/insn.h"

#define CODE_MOST 256u
#define GENERAL 16u
#define WORDS_SIZE 16

/* What is known of the registers: which hold an address of the stack frame. */
struct finder {
	uint32_t known; /* a bit for each register */
	unsigned base[GENERAL];
	int64_t distance[GENERAL];
	/* Of the record's words, once it is the thread's. */
	unsigned words_base;
	int64_t words_at;
};

static bool
is_stack_register(unsigned number)
{
	return number == EFFECT_RSP || number == EFFECT_RBP;
}

static void
note_registers(struct finder *finder, const struct insn_effect *effect)
{
	finder->known &= ~effect->writes;
	if (effect->kind != EFFECT_ADDRESS || !is_stack_register(effect->from))
		return;
	finder->known |= 1u << effect->to;
	finder->base[effect->to] = effect->from;
	finder->distance[effect->to] = effect->number;
}

/* Is it the store that gives the thread its record? */
static bool
makes_thread_s(struct finder *finder, const struct insn_effect *effect,
	       int64_t field, int64_t words)
{
	if (effect->kind != EFFECT_STORE || effect->size != sizeof(addr_t) ||
	    effect->number != field || is_stack_register(effect->from) ||
	    effect->to >= GENERAL || !(finder->known & 1u << effect->to))
		return false;
	finder->words_base = finder->base[effect->to];
	finder->words_at = finder->distance[effect->to] + words;
	return true;
}

static bool
names_words(const struct finder *finder, const struct insn_effect *effect)
{
	int64_t within = effect->distance - finder->words_at;

	return effect->memory && effect->base == finder->words_base &&
	       within >= 0 && within < WORDS_SIZE;
}

static bool
falls_through(const struct insn *insn)
{
	return insn->kind == INSN_PLAIN || insn->kind == INSN_PC_RELATIVE ||
	       insn->kind == INSN_NOTHING;
}

bool
python_window_find(struct reader *memory, addr_t loop, size_t most,
		   int64_t field, int64_t words,
		   struct python_window *ret_window)
{
	uint8_t bytes[CODE_MOST];
	long have = reader_some(memory, loop, bytes,
				most < CODE_MOST ? most : CODE_MOST);
	struct python_window window = { 0, 0 };
	struct finder finder = { 0 };
	struct insn_effect effect;
	struct insn insn;

	for (long at = 0; at < have; at += insn.length) {
		size_t left = (size_t)(have - at);

		if (insn_decode(bytes + at, left, loop, &insn) < 0 ||
		    insn_effect(bytes + at, left, loop, &effect) < 0)
			break;
		if (!falls_through(&insn) && window.end)
			break;
		if (!window.begin &&
		    makes_thread_s(&finder, &effect, field, words))
			window.begin = (uint32_t)at + insn.length;
		else if (window.begin && names_words(&finder, &effect))
			window.end = (uint32_t)at + insn.length;
		note_registers(&finder, &effect);
	}
	if (!window.end)
		return false;
	*ret_window = window;
	return true;
}

void
python_registers(const struct regs *regs, uint64_t values[PYTHON_REGISTERS])
{
	const struct user_regs_struct *gpr = &regs->gpr;
	const uint64_t all[PYTHON_REGISTERS] = {
		gpr->rax, gpr->rcx, gpr->rdx, gpr->rsi, gpr->rdi,
		gpr->r8,  gpr->r9,  gpr->r10, gpr->r11, gpr->rbx,
		gpr->rbp, gpr->r12, gpr->r13, gpr->r14, gpr->r15,
	};

	for (unsigned i = 0; i < PYTHON_REGISTERS; i++)
		values[i] = all[i];
}
