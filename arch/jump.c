/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The steps in which a trap becomes a jump and a jump a trap, and why they are
 * safe. A thread is at the window's first byte, at a boundary, or outside of
 * the window; it is never inside an instruction.
 *
 *	way up			first byte   boundaries   other bytes
 *	TRAP			trap	     original	  original
 *	ARMED			trap	     trap	  original
 *	FILLED			trap	     trap	  jump
 *	JOINED			trap	     jump	  jump
 *	PLANTED			jump	     jump	  jump
 *
 * The other bytes change when each instruction of the window begins with a
 * trap, so no thread executes them. At a boundary the jump's byte is a trap, or
 * a prefix with a trap behind it; that trap is one of the other bytes. The
 * jump's first byte is written last, and only then the jump is executed.
 *
 * The way back does not know which state it starts from. Each of its steps is
 * safe in all states: the first byte becomes a trap; then the boundaries; then
 * the other bytes are restored, and last the boundaries with the first byte. In
 * a state before ARMED the other bytes are the original ones, and writing them
 * changes nothing.
 */
#include "arch/jump.h"

#include "arch/arch.h"

#define FIRST 1u

static uint8_t
all_of(const struct jump *jump)
{
	return (uint8_t)((1u << jump->length) - 1);
}

static uint8_t
others_of(const struct jump *jump)
{
	return (uint8_t)(all_of(jump) & ~(FIRST | jump->boundaries));
}

struct jump_step
jump_step_up(const struct jump *jump, unsigned i)
{
	const struct jump_step steps[JUMP_STEPS] = {
		{ jump->boundaries, JUMP_STAGE_ARMED },
		{ others_of(jump), JUMP_STAGE_FILLED },
		{ jump->boundaries, JUMP_STAGE_JOINED },
		{ FIRST, JUMP_STAGE_PLANTED },
	};

	return steps[i];
}

struct jump_step
jump_step_back(const struct jump *jump, unsigned i, bool trapped)
{
	const struct jump_step steps[JUMP_STEPS] = {
		{ FIRST, JUMP_STAGE_TRAP },
		{ jump->boundaries, JUMP_STAGE_ARMED },
		{ others_of(jump), JUMP_STAGE_ARMED },
		{ jump->boundaries | FIRST,
		  trapped ? JUMP_STAGE_TRAP : JUMP_STAGE_ORIGINAL },
	};

	return steps[i];
}

static uint8_t
byte_of(const struct jump *jump, enum jump_stage stage, uint8_t trap,
	unsigned i)
{
	if (i == 0 && stage != JUMP_STAGE_ORIGINAL)
		return stage == JUMP_STAGE_PLANTED ? jump->planted[0] : trap;
	if (stage < JUMP_STAGE_ARMED)
		return jump->original[i];
	if (jump->boundaries & 1u << i)
		return stage < JUMP_STAGE_JOINED ? trap : jump->planted[i];
	return stage < JUMP_STAGE_FILLED ? jump->original[i] : jump->planted[i];
}

void
jump_bytes(const struct jump *jump, enum jump_stage stage,
	   const struct arch_trap *trap, uint8_t to[JUMP_MOST])
{
	for (unsigned i = 0; i < jump->length; i++)
		to[i] = byte_of(jump, stage, trap->bytes[0], i);
}

bool
jump_is_ours(const struct jump *jump, const struct arch_trap *trap,
	     const uint8_t there[JUMP_MOST])
{
	for (unsigned i = 0; i < jump->length; i++) {
		bool traps = i == 0 || jump->boundaries & 1u << i;

		if (there[i] != jump->original[i] &&
		    there[i] != jump->planted[i] &&
		    !(traps && there[i] == trap->bytes[0]))
			return false;
	}
	return true;
}

unsigned
jump_traps(const struct jump *jump, unsigned boundary, addr_t ret_traps[2])
{
	unsigned behind = boundary + 1;

	ret_traps[0] = jump->at + boundary;
	/* A jump has JUMP_MOST bytes only if one of them is a prefix; the trap
	 * is then the last byte. */
	if (jump->length < JUMP_MOST || behind != JUMP_MOST - 1)
		return 1;
	ret_traps[1] = jump->at + behind;
	return 2;
}
