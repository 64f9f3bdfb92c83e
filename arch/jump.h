/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A jump in place of a trap. A thread passes it without a stop. A jump is
 * longer than a trap, so it covers several instructions, its window, and may be
 * written while threads run in the middle of it. Two rules make that safe:
 *
 * - Where an instruction of the window begins, its boundary, the jump has the
 *   byte of a trap. A thread that arrives there (it was preempted, a signal
 *   handler returns, a table of jumps leads there) traps, and continues with
 *   the displaced instruction of that boundary.
 * - Bytes are written one at a time, in steps. Between two steps, every CPU
 *   must have seen the bytes of the step before (membarrier(2), SYNC_CORE).
 *
 * The traps at boundaries are also bytes of the jump's distance, so the jump
 * cannot lead to any address. It leads to a springboard: a second jump, which
 * reaches any address.
 *
 * All of this works on bytes only. struct arch has the functions that know
 * instructions; the stages of the bytes and the steps between them are here.
 */
#ifndef ARCH_JUMP_H
#define ARCH_JUMP_H

#include "arch/relocated.h"
#include "arch/meter.h"
#include "base/addr.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arch_trap;
struct check;
struct check_condition;
struct code;
struct reader;
struct regs;

/* The most bytes that a jump changes. */
#define JUMP_MOST 6u

/* The instructions that a jump at an address would cover. */
struct window {
	uint8_t bytes[JUMP_MOST]; /* only the first `length` are valid */
	/* The length of the window in bytes. If the flow ends early, this
	 * includes the unused bytes behind the instructions. */
	uint8_t length;
	uint8_t boundaries; /* a bit for each byte, as in struct relocated */
	bool calls;	    /* the last instruction is a call */
};

/* Free memory for springboards: [start, end). */
struct jump_room {
	addr_t start, end;
};

/* A jump in place of a trap, with its springboard. */
struct jump {
	addr_t at;
	addr_t board; /* the springboard: board_length bytes (struct arch) */
	uint8_t length;
	/* boundaries within `length`, a bit for each byte */
	uint8_t boundaries;
	uint8_t original[JUMP_MOST];
	uint8_t planted[JUMP_MOST];
};

/* What the bytes of a window can look like. Two successive stages differ only
 * in the bytes that one step writes. */
enum jump_stage {
	JUMP_STAGE_ORIGINAL,
	JUMP_STAGE_TRAP,    /* a trap at the first byte */
	JUMP_STAGE_ARMED,   /* traps at the first byte and at each boundary */
	JUMP_STAGE_FILLED,  /* as ARMED, but the other bytes are the jump's */
	JUMP_STAGE_JOINED,  /* all bytes but the first are the jump's */
	JUMP_STAGE_PLANTED, /* all bytes are the jump's */
};

/*
 * A step: the bytes in `bytes` (a bit for each) get the values that they have
 * in `stage`, one byte at a time, in any order. A byte that already has this
 * value need not be written.
 */
struct jump_step {
	uint8_t bytes;
	enum jump_stage stage;
};

/* The most steps that planting a jump, or removing it, takes. */
#define JUMP_STEPS 4u

/*
 * Step i, 0 to JUMP_STEPS - 1, of the way up: from JUMP_STAGE_TRAP to the jump.
 * After each step, all CPUs must be synchronised before the next step begins.
 */
struct jump_step jump_step_up(const struct jump *jump, unsigned i);
/*
 * Step i of the way back: from the jump, or from any state that an unfinished
 * way up or back has left. trapped: the first byte keeps a trap.
 */
struct jump_step jump_step_back(const struct jump *jump, unsigned i,
				bool trapped);

/* Gives the bytes that the window has at this stage. */
void jump_bytes(const struct jump *jump, enum jump_stage stage,
		const struct arch_trap *trap, uint8_t to[JUMP_MOST]);

/* Do these bytes come from the steps of this jump? False if another program or
 * thread has written there; then nothing must be restored. */
bool jump_is_ours(const struct jump *jump, const struct arch_trap *trap,
		  const uint8_t there[JUMP_MOST]);

/*
 * The addresses at which a thread that arrives at this boundary may trap,
 * depending on the stage: 1 or 2 of them. At the second address the trap is
 * behind a prefix.
 */
unsigned jump_traps(const struct jump *jump, unsigned boundary,
		    addr_t ret_traps[2]);

struct arch_jump {
	uint8_t length;	      /* the least length of a window, in bytes */
	uint8_t board_length; /* the length of a springboard, in bytes */
	/*
	 * The window at `from`. Fails if an instruction cannot be displaced, or
	 * if threads would often arrive at a boundary: after a call, or by a
	 * branch of the window itself. -EINVAL, -ENOTSUP; and *ret_why is the
	 * reason.
	 */
	int (*window)(const struct code *from,
		      const struct relocate_limits *limits,
		      struct window *ret_window, const char **ret_why);
	/*
	 * Chooses the springboard's address in one of the rooms; the first ones
	 * are preferred. False if no room has an address that the boundaries
	 * allow.
	 */
	bool (*place)(const struct window *window, addr_t at,
		      const struct jump_room *rooms, size_t count,
		      struct jump *ret_jump);
	/* The bytes of a springboard that leads to target. False if it is too
	 * far away. */
	bool (*board)(addr_t board, addr_t target, uint8_t *to);
	/*
	 * Makes the check of the site at `from` for the address `at`, with the
	 * window's instructions behind it. Returns like relocate(), or -ENOTSUP
	 * if the processor lacks an instruction that the check needs.
	 */
	int (*check)(const struct code *from,
		     const struct check_condition *conditions, size_t count,
		     addr_t at, struct check *ret_check);
	/*
	 * regs (in and out) are of a thread that is at this offset of the
	 * check's own code: gives them as they were at the site, except the pc.
	 * False if the stack cannot be read.
	 */
	bool (*check_undo)(const struct check *check, size_t offset,
			   struct reader *memory, struct regs *regs);
	/*
	 * What a meter has written for a thread that is at this offset of the
	 * meter's own code, or that is about to execute the first displaced
	 * instruction.
	 */
	enum meter_written (*meter_written)(const struct check *check,
					    size_t offset);
	/* The processor's counter, which meters read. */
	uint64_t (*ticks)(void);
};

#endif
