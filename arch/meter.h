/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A meter is a check that counts a call inside the program, and lets the thread
 * pass (arch/check.h). One meter is at the function's entry, another one at the
 * address to which the call returns. They share an area of the program's
 * private memory, which this header lays out. Each thread has a block in it:
 *
 *	entry	finds the block by the thread pointer; adds an open call
 *	return	adds one call and its time to the block's sums; removes the open
 *		call
 *
 * A meter does only what is certain. In every other case the thread runs into
 * the check's trap, with all registers as they were at the site, and xtrace
 * decides, as if there were no meter. The case is certain if:
 *
 * - entry: the thread has a block; its stack pointer is on the thread's own
 *   stack, below that of the last open call; there is room for one more; and
 *   the return address has a meter, too.
 * - return: the thread has a block; its stack pointer is on the thread's own
 *   stack; and the last open call returns here. If the last open call is
 *   further up the stack, the thread has not returned from a counted call: it
 *   passes.
 *
 * xtrace writes the tables of the area, and it writes a block only while the
 * block's thread is stopped outside of a meter. A meter writes only the block
 * of its thread. It makes no system call, uses no vector register, takes no
 * lock, and has no loop. If xtrace is killed, meters continue to count, which
 * does no harm.
 */
#ifndef ARCH_METER_H
#define ARCH_METER_H

#include <stdbool.h>
#include <stdint.h>

/* The tables have 2^METER_..._BITS buckets. The bucket of x is the product x *
 * METER_MULTIPLIER, shifted to the right by 64 - bits. */
#define METER_MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)
#define METER_RETURN_BITS 11
#define METER_THREAD_BITS 8
#define METER_WAYS 2
#define METER_DEPTH 158
#define METER_SUMS 384

/* A call that was entered and has not returned. */
struct meter_open {
	uint64_t sp; /* where the return address is */
	uint64_t return_address;
	uint64_t began; /* ticks */
	uint64_t sums;	/* offset in the block */
	/* The ticks from its entry to its return: written before they are
	 * added to the sums. */
	uint64_t took;
	uint64_t unused[3];
};

struct meter_sum {
	uint64_t calls;
	uint64_t ticks;
};

struct meter_block {
	/* Address of the last open call. The first element of open[] is no
	 * call: its sp is that of the last call that xtrace follows itself, or
	 * the upper end of the stack. */
	uint64_t top;
	uint64_t low;  /* the lower end of the stack. All ones: closed */
	uint64_t full; /* no open call may be added if this is the last one */
	/* Set by a return meter: 1 if the thread has added a call, else 0. */
	uint64_t added;
	uint64_t unused[4];
	struct meter_open open[METER_DEPTH + 1];
	struct meter_sum sums[METER_SUMS];
};

struct meter_thread {
	uint64_t pointer; /* the thread pointer; 0: none */
	uint64_t block;	  /* its address */
};

struct meter_tables {
	/* Return addresses that have a meter; 0: none */
	uint64_t returns[1 << METER_RETURN_BITS][METER_WAYS];
	struct meter_thread threads[1 << METER_THREAD_BITS][METER_WAYS];
};

/* An area has its tables, and then this many blocks. */
#define METER_BLOCKS 255

static inline unsigned
meter_bucket(uint64_t x, unsigned bits)
{
	return (unsigned)(x * METER_MULTIPLIER >> (64 - bits));
}

/* What a meter has written for the thread. */
enum meter_written {
	METER_NOTHING,
	METER_OPENED,  /* an entry: the open call was added */
	METER_TICKS,   /* a return: the ticks were added */
	METER_CALLS,   /* ... and the call was counted */
	METER_CLOSED,  /* ... and the open call was removed */
	METER_IF_ADDED /* as METER_CLOSED if `added` is 1, else nothing */
};

#endif
