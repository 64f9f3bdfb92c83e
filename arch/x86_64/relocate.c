/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A whole slot: one or two displaced instructions and, unless the flow has
 * ended, a jump back to the instruction behind them.
 *
 * 	site:  55           push %rbp		slot:  push %rbp
 * 	       48 8b 05 ..  mov x(%rip),%rax	       mov x(%rip),%rax
 * 	       ..				       jmp site + 8
 *
 * A second instruction is displaced if the first is one byte long. Otherwise a
 * thread that has executed the first would be at site + 1, which is also the pc
 * of a thread that has just hit our trap (arch/relocated.h). If the second
 * one cannot be displaced, the slot is marked as ambiguous.
 *
 * The steps map the slot to original pcs: while a thread is in the slot, its
 * registers are those of an original pc, except between the push and the jump
 * of a displaced indirect call.
 */
#include "arch/x86_64/relocate.h"

#include "arch/x86_64/displace.h"

#include <assert.h>

static bool
ends_flow(enum insn_kind kind)
{
	switch (kind) {
	case INSN_JUMP:
	case INSN_JUMP_INDIRECT:
	case INSN_JUMP_WORD:
	case INSN_CALL:
	case INSN_CALL_INDIRECT:
	case INSN_CALL_WORD:
	case INSN_RETURN:
		return true;
	default:
		return false;
	}
}

/* Does the code change only the pc, until it reaches *ret_onward? */
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

/* Adds the jump from the slot back to the text. */
static void
close_slot(struct relocation *relocation, const struct original *last)
{
	struct relocated *result = relocation->result;
	addr_t behind = original_end(last);

	result->flow_ends = ends_flow(last->insn.kind);
	if (!result->flow_ends) {
		displace_step(relocation, behind, true);
		emit_jump(&relocation->emitter, behind);
	}
	emit_literal(&relocation->emitter);
	result->length = (uint8_t)relocation->emitter.length;
	result->displaced = (uint8_t)(behind - relocation->at);
}

/* Adds the jump from the slot back to the text, and notes what the slot as a
 * whole does. */
static void
conclude(struct relocation *relocation, const struct original *first,
	 const struct original *last)
{
	struct relocated *result = relocation->result;
	addr_t behind = original_end(last), second = relocation->at + 1;
	bool falls_through = !ends_flow(last->insn.kind);

	close_slot(relocation, last);
	result->moves_only =
		moves_only(last, &result->onward) &&
		(first == last || first->insn.kind == INSN_NOTHING);
	result->ambiguous = (falls_through && behind == second) ||
			    branches_to(&last->insn, second);
}

/* Appends a second instruction to the slot. If it cannot be displaced, leaves
 * the slot as it was. */
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

/* Displaces what follows the first instruction, until `cover` bytes are
 * covered. */
static int
cover_more(struct relocation *relocation, const struct code *from, size_t cover,
	   struct original *last)
{
	struct relocated *result = relocation->result;
	size_t done = last->insn.length;
	int r = 0;

	while (r == 0 && done < cover && !ends_flow(last->insn.kind)) {
		result->boundaries |= (uint8_t)(1u << done);
		result->entry[done] = (uint8_t)relocation->emitter.length;
		r = displace(relocation, from->bytes + done,
			     from->length - done, from->at + done, last);
		done += last->insn.length;
	}
	return r;
}

static int
relocate_covering(struct relocation *relocation, const struct code *from,
		  size_t cover)
{
	struct original last;
	int r;

	assert(cover <= COVER_MOST);
	r = displace(relocation, from->bytes, from->length, from->at, &last);
	if (r == 0)
		r = cover_more(relocation, from, cover, &last);
	if (r == 0)
		close_slot(relocation, &last);
	return r;
}

static int
relocate_few(struct relocation *relocation, const struct code *from, bool alone)
{
	struct original first, second, *last = &first;
	int r = displace(relocation, from->bytes, from->length, from->at,
			 &first);

	if (r < 0)
		return r;
	if (first.insn.length == 1 && !ends_flow(first.insn.kind) && !alone &&
	    displaced_second(relocation, &second, from->bytes + 1,
			     from->length - 1, from->at + 1))
		last = &second;
	conclude(relocation, &first, last);
	return 0;
}

int
relocate_in(enum insn_mode mode, const struct code *from, addr_t slot,
	    const struct relocate_limits *limits, struct relocated *ret_slot,
	    const char **ret_why)
{
	struct relocated result = { 0 };
	struct relocation relocation = {
		.at = from->at,
		.result = &result,
		.mode = mode,
		.shadow_stack = limits && limits->shadow_stack,
	};
	size_t cover = limits ? limits->cover : 0;
	int r;

	emitter_init(&relocation.emitter, result.bytes,
		     cover ? WINDOW_SLOT_ROOM : SLOT_ROOM, slot);
	relocation.emitter.narrow = mode == INSN_MODE_32;
	if (cover)
		r = relocate_covering(&relocation, from, cover);
	else
		r = relocate_few(&relocation, from, limits && limits->alone);
	if (r < 0) {
		if (ret_why)
			*ret_why = relocation.why;
		return r;
	}
	*ret_slot = result;
	return 0;
}

int
x86_64_relocate(const struct code *from, addr_t slot,
		const struct relocate_limits *limits,
		struct relocated *ret_slot, const char **ret_why)
{
	return relocate_in(INSN_MODE_64, from, slot, limits, ret_slot, ret_why);
}

/* True for pushf and popf (Intel SDM 2, "PUSHF/PUSHFD/PUSHFQ"). */
bool
x86_64_shows_stepping(const uint8_t *instruction)
{
	return instruction[0] == 0x9c || instruction[0] == 0x9d;
}
