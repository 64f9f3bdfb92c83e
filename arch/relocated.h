/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocation: the same instructions for another address. A trap covers the
 * first bytes of an instruction; what it displaced runs in a slot, followed by
 * a jump back to the instruction behind. struct arch has the function, from
 * bytes to bytes; this is what it makes.
 *
 * Displaced is at least one whole instruction. Where the first is as short as
 * the trap and does not end the flow, a second one goes with it if it can, so
 * that the thread comes back behind the site's trap and a pc right behind it
 * is only ever our trap's (see docs/SURVIVAL.md).
 */
#ifndef ARCH_RELOCATED_H
#define ARCH_RELOCATED_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most that one slot can need: two instructions, long forms, a jump. */
#define SLOT_ROOM 64
/* Relocate as many bytes of the text as can be read, up to so many. */
#define RELOCATE_WINDOW 32
#define SLOT_STEPS 6

/* An instruction of the slot, and the original pc that it stands for. There
 * may be very many of them. */
struct slot_step {
	/* Added to the site's address: the pc; it may be a branch's target,
	 * anywhere within reach. */
	int64_t original : 48;
	uint64_t offset : 8; /* in the slot */
	/*
	 * False where what came before cannot be run again (the return
	 * address is pushed, the jump to the callee is yet to come): the
	 * thread should be let go on in the slot.
	 */
	bool whole : 1;
};

struct relocated {
	uint8_t bytes[SLOT_ROOM];
	uint8_t length;	   /* of bytes */
	uint8_t displaced; /* how many original bytes the slot stands for */
	/*
	 * True where running the slot only moves the pc (nop, endbr64, jmp):
	 * instead of the slot the thread may be sent to `onward`.
	 */
	bool moves_only;
	addr_t onward;
	/*
	 * True where a thread may come back from the slot right behind the
	 * site's trap (a first instruction as short as the trap, which had to
	 * go alone): a SIGTRAP with that pc must be asked for its si_code.
	 */
	bool ambiguous;
	uint8_t steps;
	struct slot_step step[SLOT_STEPS];
};

struct relocate_limits {
	bool shadow_stack; /* calls cannot be emulated: refuse them */
	/*
	 * Displace one instruction, however short: there is another site right
	 * behind the trap, which a longer slot would pass by.
	 */
	bool alone;
};

/*
 * The original pc that a thread stopped at offset within the slot should be
 * seen at: the instruction it is about to run, or was running.
 * *ret_whole (may be NULL) is false where a multi-part replacement is half
 * done (the pc given is then that of its beginning, and running it again is
 * not safe).
 */
addr_t relocated_pc(const struct relocated *slot, addr_t at, size_t offset,
		    bool *ret_whole);

#endif
