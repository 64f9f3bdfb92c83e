/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * In the caller: search backwards from the call for the instruction that set
 * the register, and then for the origin of its value, as long as the code is
 * straight: up to the first address that may be a jump target. The origin must
 * be unchanged at the call: a constant; a register that functions preserve
 * (unwinding knows it); or memory at an address made of these, such as a local
 * variable. A variable is shown with its present value.
 *
 * In the function: search for a move, before the first branch or call, of the
 * register into a preserved register or into a local variable based on rbp. It
 * must be the only write: nothing else writes that register (except the pop at
 * the end) or that variable, or takes the variable's address.
 *
 * In a function with a jump of unknown target, every instruction may be a jump
 * target, so nothing is concluded.
 */
#include "arch/x86_64/argument.h"

#include "arch/x86_64/dwarf.h"
#include "arch/x86_64/insn_effect.h"
#include "arch/x86_64/insn.h"
#include "base/vec.h"

#define KEPT \
	(1u << EFFECT_RBX | 1u << EFFECT_RBP | 1u << EFFECT_RSP | 0xfu << 12)
/* How many moves between registers to follow back. */
#define STEPS_MOST 8u

struct step {
	addr_t at;
	uint8_t length;
	enum insn_kind kind;
	bool label; /* the instruction is a jump target */
	struct insn_effect effect;
};

struct steps {
	const struct code *code;
	vec_of(struct step) list;
};

/* The index of the instruction at address, or count. */
static size_t
place_of(const struct steps *steps, addr_t address)
{
	size_t low = 0, high = steps->list.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (steps->list.at[middle].at < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low < steps->list.count && steps->list.at[low].at == address
		       ? low
		       : steps->list.count;
}

static bool
add_step(struct steps *steps, addr_t offset, addr_t *ret_target)
{
	const struct code *code = steps->code;
	const uint8_t *bytes = code->bytes + offset;
	struct step step = { .at = code->at + offset };
	struct insn insn;

	if (insn_decode(bytes, code->length - offset, step.at, &insn) < 0 ||
	    insn_effect(bytes, code->length - offset, step.at, &step.effect) <
		    0 ||
	    insn.kind == INSN_JUMP_INDIRECT || insn.kind == INSN_OTHER_FLOW)
		return false;
	step.length = insn.length;
	step.kind = insn.kind;
	*ret_target = insn.kind == INSN_JUMP || insn.kind == INSN_BRANCH ||
				      insn.kind == INSN_LOOP
			      ? insn.target
			      : 0;
	vec_push(&steps->list, step);
	return true;
}

/* Decodes all instructions of the code. False if one is invalid, or may jump to
 * an unknown address. */
static bool
read_steps(const struct code *code, struct steps *ret_steps)
{
	struct steps steps = { .code = code };
	vec_of(addr_t) targets = { 0 };
	bool whole = true;

	for (addr_t offset = 0; whole && offset < code->length;) {
		addr_t target;

		whole = add_step(&steps, offset, &target);
		if (whole && target)
			vec_push(&targets, target);
		if (whole)
			offset += steps.list.at[steps.list.count - 1].length;
	}
	for (size_t i = 0; i < targets.count; i++) {
		size_t place = place_of(&steps, targets.at[i]);

		if (place < steps.list.count)
			steps.list.at[place].label = true;
	}
	vec_release(&targets);
	*ret_steps = steps;
	return whole;
}

static bool
goes_on(const struct step *step)
{
	return step->kind != INSN_JUMP && step->kind != INSN_JUMP_WORD &&
	       step->kind != INSN_RETURN && step->kind != INSN_TRAP;
}

/* True if no instruction between the indexes `after` and `before` writes the
 * register. */
static bool
unwritten(const struct steps *steps, size_t after, size_t before, unsigned reg)
{
	for (size_t i = after + 1; i < before; i++) {
		if (steps->list.at[i].effect.writes & 1u << reg)
			return false;
	}
	return true;
}

/* The last instruction before `before` that writes the register, with straight
 * code between them. */
static bool
find_write(const struct steps *steps, size_t before, unsigned reg,
	   size_t *ret_place)
{
	for (size_t i = before; i-- > 0;) {
		const struct step *step = &steps->list.at[i];

		if (!goes_on(step) || steps->list.at[i + 1].label)
			return false;
		if (step->effect.writes & 1u << reg) {
			*ret_place = i;
			return true;
		}
	}
	return false;
}

static bool find_origin(const struct steps *steps, size_t before, size_t call,
			unsigned reg, unsigned steps_left,
			struct origin *ret_origin);

/* What the register held at `place`, as an origin that is still valid at the
 * call. */
static bool
origin_of(const struct steps *steps, size_t place, size_t call, unsigned reg,
	  unsigned left, struct origin *ret_origin)
{
	if (reg == NO_REGISTER) {
		*ret_origin =
			(struct origin){ .kind = ORIGIN_CONSTANT, .size = 8 };
		return true;
	}
	if (KEPT & 1u << reg && unwritten(steps, place, call, reg)) {
		*ret_origin = (struct origin){ .kind = ORIGIN_REGISTER,
					       .reg = reg,
					       .size = 8 };
		return true;
	}
	return left > 0 &&
	       find_origin(steps, place, call, reg, left - 1, ret_origin);
}

static bool
find_origin(const struct steps *steps, size_t before, size_t call, unsigned reg,
	    unsigned left, struct origin *ret_origin)
{
	const struct insn_effect *effect;
	struct origin origin;
	size_t place;

	if (!find_write(steps, before, reg, &place))
		return false;
	effect = &steps->list.at[place].effect;
	if (effect->to != reg)
		return false;
	switch (effect->kind) {
	case EFFECT_CONSTANT:
		*ret_origin = (struct origin){ .kind = ORIGIN_CONSTANT,
					       .number = effect->number,
					       .size = 8 };
		return true;
	case EFFECT_COPY:
		if (!origin_of(steps, place, call, effect->from, left, &origin))
			return false;
		if (effect->size < origin.size) {
			origin.size = effect->size;
			origin.is_signed = effect->is_signed;
		}
		break;
	case EFFECT_ADDRESS:
		if (!origin_of(steps, place, call, effect->from, left,
			       &origin) ||
		    origin.kind == ORIGIN_MEMORY || origin.size != 8)
			return false;
		origin.number += effect->number;
		break;
	case EFFECT_LOAD:
		if (!origin_of(steps, place, call, effect->from, left,
			       &origin) ||
		    origin.kind == ORIGIN_MEMORY || origin.size != 8)
			return false;
		if (origin.kind == ORIGIN_CONSTANT)
			origin.reg = NO_REGISTER;
		origin.kind = ORIGIN_MEMORY;
		origin.number += effect->number;
		origin.size = effect->size;
		origin.is_signed = effect->is_signed;
		break;
	default:
		return false;
	}
	*ret_origin = origin;
	return true;
}

bool
x86_64_argument_given(const struct code *caller, addr_t return_address,
		      unsigned i, struct origin *ret_origin)
{
	struct steps steps;
	bool found = false;

	if (read_steps(caller, &steps)) {
		size_t behind = place_of(&steps, return_address);
		bool there = behind < steps.list.count ||
			     return_address == caller->at + caller->length;

		found = there && behind > 0 &&
			find_origin(&steps, behind - 1, behind - 1,
				    x86_64_dwarf.arguments[i], STEPS_MOST,
				    ret_origin);
	}
	vec_release(&steps.list);
	return found;
}

/* ---- the function's side ---------------------------------------------------
 */

static bool
writes_again(const struct steps *steps, size_t move, unsigned reg)
{
	for (size_t i = 0; i < steps->list.count; i++) {
		const struct insn_effect *effect = &steps->list.at[i].effect;

		if (i != move && effect->writes & 1u << reg &&
		    effect->kind != EFFECT_POP)
			return true;
	}
	return false;
}

/* Is the variable that the move writes used by anything except loads? */
static bool
touched_again(const struct steps *steps, size_t move)
{
	const struct insn_effect *variable = &steps->list.at[move].effect;

	for (size_t i = 0; i < steps->list.count; i++) {
		const struct insn_effect *effect = &steps->list.at[i].effect;
		int64_t size = effect->kind == EFFECT_STORE ? effect->size : 8;

		if (i != move && effect->memory && effect->base == EFFECT_RBP &&
		    effect->kind != EFFECT_LOAD &&
		    effect->distance < variable->distance + variable->size &&
		    effect->distance + size > variable->distance)
			return true;
	}
	return false;
}

static bool
put_away(const struct steps *steps, size_t place, unsigned reg,
	 struct origin *ret_origin)
{
	const struct insn_effect *effect = &steps->list.at[place].effect;

	if (effect->kind == EFFECT_COPY && effect->from == reg &&
	    KEPT & 1u << effect->to && effect->to != EFFECT_RSP &&
	    !writes_again(steps, place, effect->to)) {
		*ret_origin = (struct origin){ .kind = ORIGIN_REGISTER,
					       .reg = effect->to,
					       .size = effect->size };
		return true;
	}
	if (effect->kind == EFFECT_STORE && effect->to == reg &&
	    effect->from == EFFECT_RBP && !touched_again(steps, place)) {
		*ret_origin = (struct origin){ .kind = ORIGIN_MEMORY,
					       .reg = EFFECT_RBP,
					       .number = effect->number,
					       .size = effect->size };
		return true;
	}
	return false;
}

bool
x86_64_argument_kept(const struct code *function, addr_t pc, unsigned i,
		     struct origin *ret_origin)
{
	const unsigned reg = x86_64_dwarf.arguments[i];
	struct steps steps;
	bool found = false;

	if (read_steps(function, &steps)) {
		for (size_t k = 0; k < steps.list.count && !found; k++) {
			const struct step *step = &steps.list.at[k];

			if (step->at >= pc || step->label)
				break;
			found = put_away(&steps, k, reg, ret_origin);
			if (step->effect.writes & 1u << reg ||
			    (step->kind != INSN_PLAIN &&
			     step->kind != INSN_PC_RELATIVE &&
			     step->kind != INSN_NOTHING))
				break;
		}
	}
	vec_release(&steps.list);
	return found;
}
