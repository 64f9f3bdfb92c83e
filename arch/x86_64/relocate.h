/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Relocation: the same instructions for another address. A trap covers the
 * first byte of an instruction; what it displaced runs in a slot, followed by
 * a jump back to the instruction behind. A pure function from bytes to bytes.
 *
 * Displaced is at least one whole instruction. Where the first is one byte
 * long and does not end the flow, a second one goes with it if it can, so
 * that the thread comes back at site + 2 or later and a pc of site + 1 is
 * only ever our trap's (see docs/SURVIVAL.md).
 */
#ifndef ARCH_X86_64_RELOCATE_H
#define ARCH_X86_64_RELOCATE_H

#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The most that one slot can need: two instructions, long forms, a jump. */
#define SLOT_ROOM 64
/* Give relocate() this many bytes of the text where they can be read. */
#define RELOCATE_WINDOW 32
#define SLOT_STEPS 6

/* An instruction of the slot, and the original pc that it stands for. There
 * may be very many of them. */
struct slot_step {
	/* Added to the site's address: the pc; it may be a branch's target,
	 * anywhere within 2 GiB. */
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
	 * True where a thread may come back from the slot at site + 1 (a
	 * one-byte first instruction that had to go alone): a SIGTRAP with
	 * that pc must be asked for its si_code.
	 */
	bool ambiguous;
	uint8_t steps;
	struct slot_step step[SLOT_STEPS];
};

struct relocate_limits {
	bool shadow_stack; /* calls cannot be emulated: refuse them */
	/*
	 * Displace one instruction, however short: there is another site at
	 * site + 1, which a longer slot would pass by.
	 */
	bool alone;
};

/*
 * from: `have` bytes of original text at address `at` (no trap in them);
 * slot: where the result will be placed, readable and executable; limits may
 * be NULL. 0, or
 * -EINVAL  not a whole valid instruction;
 * -ERANGE  the slot is too far away for a relative operand (2 GiB);
 * -ENOTSUP an instruction that must not be displaced.
 * *ret_why says which (static text, may be passed NULL).
 */
must_check int relocate(const uint8_t *from, size_t have, addr_t at,
			addr_t slot, const struct relocate_limits *limits,
			struct relocated *ret_slot, const char **ret_why);

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
