/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An area is the memory in a program where meters count (arch/meter.h): the
 * tables that lead them to a thread's block, and the blocks. It is private,
 * writable, and not executable. This code keeps a copy of the tables; it knows
 * no calls and no functions.
 */
#ifndef AGENT_AREA_H
#define AGENT_AREA_H

#include "arch/meter.h"
#include "base/addr.h"
#include "base/attr.h"
#include "breakpoints/sites.h"

struct area {
	addr_t at; /* 0: not mapped */
	struct meter_tables tables;
	bool taken[METER_BLOCKS];
};

/* Where a thread's block is, and what was read from it. */
struct area_calls {
	unsigned count; /* of open calls */
	struct meter_open open[METER_DEPTH];
	bool added; /* struct meter_block */
};

/* Maps the area with the stopped thread. Returns 0, -ESRCH, or an error. */
must_check int area_begin(struct area *area, struct sites *sites,
			  struct thread *thread);

/* Calls that return there may be counted. -ENOSPC: the bucket is full. */
must_check int area_add_return(struct area *area, struct space *space,
			       addr_t address);
/* Calls that return there may no longer be counted. */
void area_drop_return(struct area *area, struct space *space, addr_t address);

/* Calls act() for each return address. */
void area_each_return(const struct area *area,
		      void (*act)(void *context, addr_t address),
		      void *context);

/*
 * Gives a block, which is closed, to the thread with this thread pointer.
 * Returns its number, -ENOSPC if there is none, -EEXIST if another thread has
 * this pointer, or an error of the memory.
 */
must_check int area_add_thread(struct area *area, struct space *space,
			       addr_t pointer);
/* The thread has ended, or must not be counted. Its block is free again. */
void area_drop_thread(struct area *area, struct space *space, addr_t pointer,
		      unsigned block);

/* The functions below are called while the block's thread is stopped outside of
 * a meter. */

/* Takes the open calls out of the block. */
must_check int area_take_calls(const struct area *area, struct space *space,
			       unsigned block, struct area_calls *ret_calls);
/* Takes back what a thread has written in a meter. */
void area_take_back(const struct area *area, struct space *space,
		    unsigned block, enum meter_written written);
/* Meters count calls of the thread whose stack pointers are from low to below
 * high. low > high: none. */
must_check int area_open(const struct area *area, struct space *space,
			 unsigned block, addr_t low, addr_t high);

/* Reads the sums, also while the thread runs. */
must_check int area_read_sums(const struct area *area, struct space *space,
			      unsigned block,
			      struct meter_sum ret_sums[METER_SUMS]);

#endif
