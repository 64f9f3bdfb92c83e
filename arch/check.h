/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A check is code to which a jump in place of a trap leads (arch/jump.h). It
 * decides whether a thread must stop there: if one of its conditions holds, the
 * thread runs into a trap, with all registers as they were at the site. If none
 * holds, it continues with the displaced instructions behind the check. The
 * check changes no register, no flag, and no memory at or above the stack
 * pointer, nor the 128 bytes below it (the red zone, psABI 3.2.2).
 *
 *	check	save two registers and the flags
 *		the conditions; each leads to `stop` if it holds
 *		restore
 *		the displaced instructions		passed by most threads
 *	stop	restore
 *		trap
 *	words	the numbers of the conditions
 *
 * (A meter has the displaced instructions at its end.)
 *
 * The numbers may be changed while threads run. If a thread reads a number that
 * is half written, it may stop for nothing.
 */
#ifndef ARCH_CHECK_H
#define ARCH_CHECK_H

#include "arch/relocated.h"
#include "base/addr.h"
#include "base/attr.h"
#include "base/reader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct code;
struct regs;

/* The most conditions of a check; the most bytes of a check with its slot. */
#define CHECK_CONDITIONS 4u
#define CHECK_ROOM 2048u

enum check_kind {
	/* The thread stops if its stack pointer is `number`. */
	CHECK_STACK,
	/* At a function's first instruction: the thread stops if the return
	 * address is in the `size` bytes from `number` on. */
	CHECK_CALLER,
	/*
	 * Meters (arch/meter.h). A meter is the only condition of its check,
	 * and `number` is the address of the area. ENTRY, KEEP and TEXTS are at
	 * a function's first instruction. RETURN, WHOLE and SELECT are at a
	 * return address. `size` of ENTRY is the offset of the function's sums
	 * in a block. KEEP and TEXTS keep the arguments, and TEXTS copies
	 * texts, too; `size` of both is the offset of the function's struct
	 * meter_select in the area. WHOLE has a histogram (struct meter_whole),
	 * and does not count a call that has taken `size` ticks or more; `size`
	 * is METER_TICKS_MOST or less. SELECT is the return meter for KEEP and
	 * TEXTS. QUERY is at the entry of a function whose calls are parts of
	 * queries, and ANSWER is its return meter; `size` of QUERY is the
	 * offset of the function's struct meter_query. WITHIN is at the entry
	 * of another function, such as send(): it passes a call that is within
	 * a call which QUERY has opened, and stops all others.
	 */
	CHECK_METER_ENTRY,
	CHECK_METER_RETURN,
	CHECK_METER_WHOLE,
	CHECK_METER_KEEP,
	CHECK_METER_TEXTS,
	CHECK_METER_SELECT,
	CHECK_METER_QUERY,
	CHECK_METER_ANSWER,
	CHECK_METER_WITHIN,
};

static inline bool
check_is_meter(enum check_kind kind)
{
	return kind >= CHECK_METER_ENTRY;
}

static inline bool
check_is_meter_entry(enum check_kind kind)
{
	return kind == CHECK_METER_ENTRY || kind == CHECK_METER_KEEP ||
	       kind == CHECK_METER_TEXTS || kind == CHECK_METER_QUERY ||
	       kind == CHECK_METER_WITHIN;
}

struct check_condition {
	enum check_kind kind;
	uint64_t number, size;
};

struct check {
	uint8_t bytes[CHECK_ROOM];
	uint16_t length;
	uint16_t slot; /* offset of the displaced instructions */
	uint16_t stop; /* offset of the code before the trap */
	uint16_t trap; /* offset of the trap */
	/* offset of the first condition's number, behind which its `size` is;
	 * then the next condition's number and `size` */
	uint16_t words;
	enum check_kind kind; /* kind of the first condition */
	struct relocated displaced;
};

#endif
