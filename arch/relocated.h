/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocation makes code that has the effect of other instructions at another
 * address. A trap covers the first bytes of an instruction. The displaced
 * instruction is executed in a slot, followed by a jump back to the instruction
 * behind the original one. relocate() of struct arch converts bytes to bytes;
 * this file describes its result.
 *
 * At least one whole instruction is displaced. If the first one is as short as
 * the trap and does not end the flow, a second one is displaced too, if
 * possible. Then the thread returns from the slot to an address further behind
 * the trap, and a pc right behind the trap always means our trap (see
 * docs/SURVIVAL.md).
 */
#ifndef ARCH_RELOCATED_H
#define ARCH_RELOCATED_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The largest slot: two instructions in long forms and a jump. */
#define SLOT_ROOM 64
/* The largest slot of a window (arch/jump.h): three loops in long forms and a
 * jump. */
#define WINDOW_SLOT_ROOM 96
/* The most bytes of the text that the caller passes; it passes fewer if it
 * cannot read them all. */
#define RELOCATE_WINDOW 32
#define SLOT_STEPS 6
#define WINDOW_SLOT_STEPS 12
/* limits->cover is at most COVER_MOST bytes. */
#define COVER_MOST 8

/* An instruction of the slot, and the original pc that it corresponds to. Kept
 * small, because there may be very many. */
struct slot_step {
	/* The original pc minus the site's address. It may be the target of a
	 * branch, anywhere within reach. */
	int64_t original : 48;
	uint64_t offset : 8; /* the instruction's offset in the slot */
	/*
	 * False if a part of the displaced instruction was executed and must
	 * not be executed again: the return address was pushed, and the jump to
	 * the callee has not been made. The thread should then continue in the
	 * slot.
	 */
	bool whole : 1;
};

struct relocated {
	uint8_t bytes[WINDOW_SLOT_ROOM];
	uint8_t length;	   /* length of the slot's code, in bytes */
	uint8_t displaced; /* how many original bytes the slot replaces */
	/*
	 * True if the slot only changes the pc (nop, endbr64, jmp). The thread
	 * may then be sent to `onward` instead of the slot.
	 */
	bool moves_only;
	addr_t onward;
	/*
	 * True if a thread may return from the slot to the address right behind
	 * the site's trap, because a first instruction as short as the trap was
	 * displaced alone. For a SIGTRAP with that pc, read its si_code.
	 */
	bool ambiguous;
	uint8_t steps;
	struct slot_step step[WINDOW_SLOT_STEPS];
	/*
	 * A bit for each byte behind the site's first one where a displaced
	 * instruction begins, and where it begins in the slot. Bytes from
	 * COVER_MOST on have none.
	 */
	uint8_t boundaries;
	uint8_t entry[COVER_MOST];
	/* execution does not continue behind the displaced instructions */
	bool flow_ends;
};

struct relocate_limits {
	bool shadow_stack; /* calls cannot be emulated: refuse them */
	/*
	 * Displace one instruction, however short, because another site right
	 * behind the trap would be skipped by a longer slot.
	 */
	bool alone;
	/*
	 * Displace whole instructions until so many bytes are covered, or until
	 * the flow ends. 0: displace one or two instructions, as at the top of
	 * this header. If it is not 0, the slot may be as large as
	 * WINDOW_SLOT_ROOM, and moves_only and ambiguous are not set.
	 */
	uint8_t cover;
};

/*
 * The original pc of a thread that stopped at `offset` within the slot: the
 * address of the instruction that the thread is about to execute, or was
 * executing. *ret_whole (may be NULL) is false if the thread has executed only
 * a part of an instruction's replacement. Then the result is the address of
 * that instruction, but it is not safe to execute the instruction again.
 */
addr_t relocated_pc(const struct relocated *slot, addr_t at, size_t offset,
		    bool *ret_whole);

#endif
