/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A slot as a whole: one displaced instruction or two, and unless the flow
 * has ended, a jump back to the instruction behind them.
 *
 *	site:  55           push %rbp		slot:  push %rbp
 *	       48 8b 05 ..  mov x(%rip),%rax	       mov x(%rip),%rax
 *	       ..				       jmp site + 8
 *
 * A second one is taken where the first is one byte long, because a thread
 * that has run it would be at site + 1, where also a thread is that has just
 * hit our trap; see the header. It is not taken where it cannot be displaced,
 * and the slot is then marked as ambiguous.
 *
 * The steps map the slot back: while a thread is in it, its registers are
 * those of some original pc, except between the push and the jump of a
 * displaced indirect call.
 */
#include "arch/x86_64/relocate.h"

#include "arch/x86_64/displace.h"

static bool
ends_flow(enum insn_kind kind)
{
	switch (kind) {
	case INSN_JUMP:
	case INSN_JUMP_INDIRECT:
	case INSN_JUMP_SLOT:
	case INSN_CALL:
	case INSN_CALL_INDIRECT:
	case INSN_CALL_SLOT:
	case INSN_RETURN:
		return true;
	default:
		return false;
	}
}

/* Nothing but the pc changes on the way to *ret_onward. */
static bool
moves_only(const struct original *last, addr_t *ret_onward)
{
	switch (last->insn.kind) {
	case INSN_NOTHING:
		*ret_onward = original_end(last);
		return true;
	case INSN_JUMP:
		*ret_onward = last->insn.target;
		return true;
	default:
		return false;
	}
}

static bool
branches_to(const struct insn *insn, addr_t target)
{
	switch (insn->kind) {
	case INSN_JUMP:
	case INSN_BRANCH:
	case INSN_LOOP:
	case INSN_CALL:
		return insn->target == target;
	default:
		return false;
	}
}

/* The way back, and what the slot as a whole does. */
static void
conclude(struct relocation *relocation, const struct original *first,
	 const struct original *last)
{
	struct relocated *result = relocation->result;
	addr_t behind = original_end(last), second = relocation->at + 1;
	bool falls_through = !ends_flow(last->insn.kind);

	if (falls_through) {
		displace_step(relocation, behind, true);
		emit_jump(&relocation->emitter, behind);
	}
	emit_literal(&relocation->emitter);
	result->length = (uint8_t)relocation->emitter.length;
	result->displaced = (uint8_t)(behind - relocation->at);
	result->moves_only =
		moves_only(last, &result->onward) &&
		(first == last || first->insn.kind == INSN_NOTHING);
	result->ambiguous = (falls_through && behind == second) ||
			    branches_to(&last->insn, second);
}

/* One instruction more, or all as it was before. */
static bool
displaced_second(struct relocation *relocation, struct original *ret_second,
		 const uint8_t *bytes, size_t have, addr_t at)
{
	struct emitter before = relocation->emitter;
	uint8_t steps = relocation->result->steps;

	if (displace(relocation, bytes, have, at, ret_second) == 0)
		return true;
	relocation->emitter = before;
	relocation->result->steps = steps;
	return false;
}

int
x86_64_relocate(const struct code *from, addr_t slot,
		const struct relocate_limits *limits,
		struct relocated *ret_slot, const char **ret_why)
{
	struct relocated result = { 0 };
	struct relocation relocation = {
		.at = from->at,
		.result = &result,
		.shadow_stack = limits && limits->shadow_stack,
	};
	struct original first, second, *last = &first;
	int r;

	emitter_init(&relocation.emitter, result.bytes, SLOT_ROOM, slot);
	r = displace(&relocation, from->bytes, from->length, from->at, &first);
	if (r < 0) {
		if (ret_why)
			*ret_why = relocation.why;
		return r;
	}
	if (first.insn.length == 1 && !ends_flow(first.insn.kind) &&
	    !(limits && limits->alone) &&
	    displaced_second(&relocation, &second, from->bytes + 1,
			     from->length - 1, from->at + 1))
		last = &second;
	conclude(&relocation, &first, last);
	*ret_slot = result;
	return 0;
}

/* pushf and popf (Intel SDM 2, "PUSHF/PUSHFD/PUSHFQ"). */
bool
x86_64_shows_stepping(const uint8_t *instruction)
{
	return instruction[0] == 0x9c || instruction[0] == 0x9d;
}
