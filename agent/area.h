/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An area is the memory in a program where meters count (arch/meter.h): the
 * tables that lead them to a thread's block, and the blocks, which are mapped
 * in groups when they are needed. It is private, writable, and not executable.
 * This code keeps a copy of the tables; it knows no calls and no functions.
 */
#ifndef AGENT_AREA_H
#define AGENT_AREA_H

#include "arch/meter.h"
#include "base/addr.h"
#include "base/attr.h"
#include "breakpoints/sites.h"

/* Each group of blocks is twice as large as the group before. */
#define AREA_GROUPS 6u
#define AREA_FIRST_GROUP 16u
#define AREA_BLOCKS (AREA_FIRST_GROUP * ((1u << AREA_GROUPS) - 1))

/* What each block of an area stores about calls. */
enum area_kind {
	AREA_SUMS,   /* struct meter_sum */
	AREA_WHOLES, /* struct meter_whole */
	/* struct meter_kept and texts, and the tables have struct
	 * meter_select */
	AREA_KEPT,
	/* struct meter_kept; the tables have struct meter_query and handles,
	 * and there are cells */
	AREA_QUERIES,
};

/* What xtrace does with a cell (agent/cells.c). */
enum area_cell_use {
	AREA_CELL_FREE,
	AREA_CELL_TAKEN,    /* meters use it for its handle */
	AREA_CELL_FOLLOWED, /* the calls with its handle stop */
	/* as AREA_CELL_FOLLOWED, but the cell becomes free if no call comes */
	AREA_CELL_RETIRED,
	AREA_CELL_DROPPED, /* it has no handle, but perhaps a thread uses it */
};

struct area_cell {
	enum area_cell_use use;
	uint64_t handle;
	uint64_t since; /* when it was retired or dropped */
	/* when its last query had begun when it was looked at last, in ticks */
	uint64_t began;
	bool seen; /* it was looked at, so that `began` is known */
};

struct area {
	addr_t at; /* the address of the tables; 0: they are not mapped */
	enum area_kind kind;
	struct meter_tables tables;
	/* of AREA_KEPT and AREA_QUERIES (agent/readable.h) */
	uint64_t pages[1 << METER_PAGE_BITS][METER_WAYS];
	/* of AREA_QUERIES (agent/cells.h) */
	struct meter_handle handles[1 << METER_HANDLE_BITS][METER_WAYS];
	addr_t cells;
	struct area_cell cell[METER_CELLS];
	uint64_t cells_swept;	/* when dropped cells were looked at last */
	uint64_t cells_retired; /* when unused cells were looked for last */
	addr_t groups[AREA_GROUPS];
	unsigned group_count;
	bool taken[AREA_BLOCKS];
	unsigned fresh; /* blocks from this one on have had no thread yet */
};

/* What was read from a thread's block. */
struct area_calls {
	/* Ticks of the counted calls that were directly within the call that
	 * xtrace follows itself. */
	uint64_t inner;
	unsigned count; /* number of open calls */
	struct meter_open open[METER_DEPTH];
	/* only of AREA_KEPT and AREA_QUERIES */
	struct meter_kept kept[METER_DEPTH];
};

/* Maps the tables and the first group with the stopped thread. Returns 0,
 * -ESRCH, or an error. */
must_check int area_begin(struct area *area, struct sites *sites,
			  struct thread *thread, enum area_kind kind);

/* True if every block belongs to a thread, and more blocks can be mapped. */
bool area_may_grow(const struct area *area);
/* Maps the next group of blocks with the stopped thread. Returns like
 * area_begin(). */
must_check int area_grow(struct area *area, struct sites *sites,
			 struct thread *thread);

addr_t area_block_address(const struct area *area, unsigned block);
/* Is this the address of a cell? An address that was read from a block may be
 * wrong, because the program can overwrite the block. */
bool area_has_cell(const struct area *area, addr_t cell);
/* The size of a block in bytes. */
uint64_t area_block_size(enum area_kind kind);
/* How many functions there is room for at most; and the offset of the sums of
 * one function in a block, or of its struct meter_select or meter_query in the
 * area. */
unsigned area_functions(enum area_kind kind);
uint64_t area_sums_offset(const struct area *area, unsigned function);
/* The function to which this offset belongs. */
unsigned area_function(const struct area *area, uint64_t offset);

/* Sets which calls of the function are selected. No thread may enter it now. */
must_check int area_set_select(const struct area *area, struct space *space,
			       unsigned function,
			       const struct meter_select *select);
must_check int area_set_query(const struct area *area, struct space *space,
			      unsigned function,
			      const struct meter_query *query);

/* Adds a return address: calls that return there may be counted. -ENOSPC: the
 * bucket is full. */
must_check int area_add_return(struct area *area, struct space *space,
			       addr_t address);
/* Removes a return address: calls that return there may no longer be
 * counted. */
void area_drop_return(struct area *area, struct space *space, addr_t address);

/* Calls act() for each return address in the tables. */
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
/* Frees the block of a thread that has ended, or that must not be counted any
 * more. */
void area_drop_thread(struct area *area, struct space *space, addr_t pointer,
		      unsigned block);

/* The functions below are called while the block's thread is stopped outside of
 * a meter. */

/* Takes the open calls out of the block. */
must_check int area_take_calls(const struct area *area, struct space *space,
			       unsigned block, struct area_calls *ret_calls);
/* Reads a text of an open call, after area_take_calls(). call: its index in
 * struct area_calls. */
must_check int area_read_text(const struct area *area, struct space *space,
			      unsigned block, unsigned call, unsigned text,
			      uint8_t ret_bytes[METER_TEXT_ROOM]);
/* Takes back what a thread has written in a meter. */
void area_take_back(const struct area *area, struct space *space,
		    unsigned block, enum meter_written written);
/* A call of a query that xtrace follows itself: where its return address was
 * stored, and this address. */
struct area_outer {
	addr_t sp, return_address;
};
/*
 * Meters count calls of the thread whose stack pointers are from low to below
 * high. low > high: no call is counted. No call of a query is counted if
 * `outer` has been left by a longjmp or an exception; outer->return_address is
 * 0 if there is no such call. The block's open calls are removed, with the
 * address of a cell that the first one had.
 */
must_check int area_open_within(const struct area *area, struct space *space,
				unsigned block, addr_t low, addr_t high,
				const struct area_outer *outer);

static inline must_check int
area_open(const struct area *area, struct space *space, unsigned block,
	  addr_t low, addr_t high)
{
	const struct area_outer none = { 0 };

	return area_open_within(area, space, block, low, high, &none);
}

/* The functions below read sums, also while the thread runs: of the first
 * `count` functions, or of one with its histogram. */
must_check int area_read_sums(const struct area *area, struct space *space,
			      unsigned block, unsigned count,
			      struct meter_sum *ret_sums);
/* How many calls have passed, because they were not selected. */
must_check int area_read_passed(const struct area *area, struct space *space,
				unsigned block, uint64_t *ret_calls);
must_check int area_read_whole(const struct area *area, struct space *space,
			       unsigned block, unsigned function,
			       struct meter_whole *ret_whole);

#endif
