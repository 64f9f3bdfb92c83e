/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A meter is a check that counts a call inside the program, and lets the thread
 * pass (arch/check.h). One meter is at the function's entry, another one at the
 * address to which the call returns. They share an area of the program's
 * private memory, which this header lays out. Each thread has a block in it:
 *
 *	entry	finds the block by the thread pointer; adds an open call
 *	return	adds one call and its time to the block's sums; removes the open
 *		call. There are two kinds: with and without a histogram
 *
 * If only some calls are shown (--min-time, --if), an entry also keeps the
 * call's integer arguments, and a return selects: it removes the call, which is
 * only counted, if one of its function's tests (struct meter_select) fails. An
 * entry also copies texts to which arguments lead (struct meter_text), because
 * they may have changed at the return. It reads a text only in pages that
 * xtrace has found to be readable, and stops if a text is in other pages, or
 * too long.
 *
 * With --sql and --min-time the calls of queries are selected (struct
 * meter_query). A query may consist of several calls, which have the same
 * handle as an argument: a connection or a statement. The handle has a cell
 * (struct meter_cell), in which the times of these calls are added up. A
 * statement may have the cell of its connection.
 *
 *	entry	finds the cell of the handle. A call that begins a query empties
 *		the cell, and keeps its arguments and texts there
 *	return	adds the call's time to the cell, or stops if the query has
 *		taken `least` ticks or more
 *
 * A call within such a call is a part of it, so it passes (is not counted), if
 * it is a call of a query, too, or a call that sends, receives or waits. If
 * another word is where the return address of the outer call was stored, the
 * outer call has been left by a longjmp or an exception: the thread stops. It
 * also stops if the last call of a query that xtrace follows itself has been
 * left.
 *
 * A meter does only what is certain. In every other case the thread runs into
 * the check's trap, with all registers as they were at the site, and xtrace
 * decides, as if there were no meter. The case is certain if:
 *
 * - entry: the thread has a block; its stack pointer is on the thread's own
 *   stack, below that of the last open call; there is room for one more; the
 *   return address has a meter, too; and the texts could be copied.
 * - return: the thread has a block; its stack pointer is on the thread's own
 *   stack; the last open call returns here; for a meter with a histogram, the
 *   call has taken less than a limit; and for a meter that selects, a test
 *   fails. If the last open call is further up the stack, the thread has not
 *   returned from a counted call: it passes.
 *
 * xtrace writes the tables of the area, and it writes a block only while the
 * block's thread is stopped outside of a meter. A meter writes only the block
 * of its thread. It makes no system call, uses no vector register, and takes no
 * lock; its only loop copies a text. If xtrace is killed, meters continue to
 * count, which does no harm.
 */
#ifndef ARCH_METER_H
#define ARCH_METER_H

#include <stdbool.h>
#include <stdint.h>

/* The tables have 2^METER_..._BITS buckets. The bucket of x is the product x *
 * METER_MULTIPLIER, shifted to the right by 64 - bits. */
#define METER_MULTIPLIER UINT64_C(0x9e3779b97f4a7c15)
#define METER_RETURN_BITS 13
#define METER_THREAD_BITS 10
#define METER_WAYS 2
#define METER_DEPTH 158
/* For how many functions a block has sums: METER_SUMS, or METER_WHOLES if the
 * sums have histograms. */
#define METER_SUMS 384
#define METER_WHOLES 125

/* A call that was entered and has not returned. */
struct meter_open {
	uint64_t sp; /* address where the return address is stored */
	uint64_t return_address;
	uint64_t began; /* the processor's counter at the entry */
	/* The offset of the function's sums in the block; or, if arguments are
	 * kept, of its struct meter_select in the area. */
	uint64_t sums;
	/* The ticks from the call's entry to its return: written before they
	 * are added to the sums. */
	uint64_t took;
	/* Ticks of the counted calls directly within this call that have ended.
	 * Used only by meters with histograms, as are `step` and `most`. */
	uint64_t inner;
	/* Written before the sums: which number of the histogram is counted up;
	 * and the ticks of the longest call before this one. */
	uint64_t step;
	uint64_t most;
};

struct meter_sum {
	uint64_t calls;
	uint64_t ticks;
};

/*
 * A struct meter_whole is a sum with a histogram, the ticks of the longest
 * call, and the ticks without those of the counted calls within. The steps of
 * the histogram are of 1 tick below 64; above, there are 32 of equal size from
 * one power of two to the next.
 */
#define METER_STEP_BITS 5
#define METER_STEPS 992
/* A call that has taken METER_TICKS_MOST ticks or more is not counted: its
 * thread stops. */
#define METER_TICKS_MOST (UINT64_C(1) << 35)

struct meter_whole {
	uint64_t calls; /* number of calls, as in struct meter_sum */
	uint64_t ticks;
	uint64_t own;
	uint64_t most;
	uint64_t unused[12];
	uint32_t steps[METER_STEPS];
};

/* The step of the histogram in which a number of ticks is counted, and the
 * number in the middle of a step. */
static inline unsigned
meter_step(uint64_t ticks)
{
	unsigned octave =
		63 - (unsigned)__builtin_clzll(ticks | 1u << METER_STEP_BITS) -
		METER_STEP_BITS;

	return (octave << METER_STEP_BITS) + (unsigned)(ticks >> octave);
}

static inline uint64_t
meter_step_middle(unsigned step)
{
	unsigned octave = step >> METER_STEP_BITS;
	uint64_t first;

	if (octave < 2)
		return step;
	octave--;
	first = step - (octave << METER_STEP_BITS);
	return (first << octave) + (UINT64_C(1) << (octave - 1));
}

/*
 * What is kept of an open call, METER_KEPT bytes behind its struct meter_open:
 * the integer arguments in the order of their registers, and the result, which
 * the meter at the return writes.
 */
struct meter_kept {
	uint64_t result;
	uint64_t arguments[6];
	uint64_t all; /* all ones, if texts are copied */
};

#define METER_KEPT ((METER_DEPTH + 1) * UINT64_C(64))

/* A test holds if, for the 64 bits at this offset from the struct of the open
 * call, (value - low) << shift <= most. */
struct meter_test {
	uint64_t offset, low, shift, most;
};

/*
 * A text that an entry copies. Its room in the block (texts[]) begins with the
 * whole word that has the text's first byte, and all of its words are copied,
 * up to the end of the text: the first NUL, if `ends` is not 0; or so many
 * bytes as its length, or as `most`, says.
 */
struct meter_text {
	/* The offset of the text's address from the open call; 0: there is no
	 * text. No text is copied from address 0. */
	uint64_t pointer;
	/* The offset of the text's length from the open call, and the bits of
	 * the length. For a text without a length, the offset is that of
	 * meter_kept.all. */
	uint64_t length, mask;
	uint64_t most;
	uint64_t ends;
};

/* How many texts of a call are copied, and the room for one text. The last word
 * of the room is used by the meter. */
#define METER_TEXTS 2
#define METER_TEXT_ROOM 1024
#define METER_TEXT_MOST (METER_TEXT_ROOM - 8)

/* A call is selected if it has taken `least` ticks, and all tests hold. */
#define METER_TESTS 3
struct meter_select {
	uint64_t least;
	uint64_t unused[3];
	struct meter_test tests[METER_TESTS];
	struct meter_text texts[METER_TEXTS];
};

struct meter_block {
	/* Address of the last open call. The first element of open[] is no
	 * call: its sp is that of the last call that xtrace follows itself, or
	 * the upper end of the stack; its `inner` is that call's. In the area
	 * of queries, its `took` is the return address of the last call of a
	 * query that xtrace follows itself, or 0; its `step` is where that
	 * address was stored. */
	uint64_t top;
	/* the lower end of the thread's stack. All ones: no call is counted */
	uint64_t low;
	uint64_t full; /* the highest `top`: no call is added behind it */
	/* Set by a return meter: 1 if the thread has added a call, else 0. Also
	 * set by the entry meter of a query: 1 if the thread has added an open
	 * call, else 0. */
	uint64_t added;
	uint64_t passed; /* calls that were not selected */
	uint64_t unused[3];
	struct meter_open open[METER_DEPTH + 1];
	union {
		struct {
			struct meter_kept kept[METER_DEPTH + 1];
			/* The room of a text begins at a multiple of the room's
			 * size. */
			uint8_t texts[METER_DEPTH + 1][METER_TEXTS]
				     [METER_TEXT_ROOM]
				__attribute__((aligned(METER_TEXT_ROOM)));
		};
		struct meter_sum sums[METER_SUMS];
		struct meter_whole wholes[METER_WHOLES];
	};
};

struct meter_thread {
	uint64_t pointer; /* the thread pointer; 0: none */
	uint64_t block;	  /* address of the thread's block */
};

struct meter_tables {
	/* Hash table of the return addresses that have a meter; 0: an empty
	 * cell. */
	uint64_t returns[1 << METER_RETURN_BITS][METER_WAYS];
	struct meter_thread threads[1 << METER_THREAD_BITS][METER_WAYS];
};

/* The area of meters that select. */
#define METER_PAGE_BITS 12
struct meter_selects {
	struct meter_tables tables;
	/* Hash table of the pages that are known to be readable: the address of
	 * the last byte; 0: an empty cell. */
	uint64_t pages[1 << METER_PAGE_BITS][METER_WAYS];
	struct meter_select functions[METER_SUMS];
};

static inline unsigned
meter_bucket(uint64_t x, unsigned bits)
{
	return (unsigned)(x * METER_MULTIPLIER >> (64 - bits));
}

/* ---- queries --------------------------------------------------------------*/

/* What a meter does at the entry of a function, if its handle has a cell. */
enum meter_entry_act {
	METER_ACT_PASS,
	METER_ACT_STOP,
	METER_ACT_JOIN, /* the call is a part of the cell's query */
	/* The call begins a query; the query in the cell is given up. */
	METER_ACT_BEGIN,
	/* as METER_ACT_BEGIN if the cell's state is METER_CELL_ANSWERED, else
	 * as METER_ACT_STOP */
	METER_ACT_BEGIN_NEXT,
};

/* State of a cell. */
enum meter_cell_state {
	METER_CELL_IDLE, /* no query, or one whose first call has not returned
			  */
	/* The query's time is the sum of the times of its calls. */
	METER_CELL_ANSWERED,
	/* The query's time is the time since its beginning. */
	METER_CELL_ASKED,
	/* only in meter_query.next: the state does not change */
	METER_CELL_SAME,
};

/* What the meters of a function do for queries. */
struct meter_query {
	uint64_t least; /* a return stops if its query took so many ticks */
	/* The offset of the argument that is the handle, from the open call. */
	uint64_t handle;
	uint64_t idle, pending; /* enum meter_entry_act, by the cell's state */
	/* enum meter_cell_state: the state after a return, if the result passes
	 * a test like the test of struct meter_test. If not, the query has
	 * ended. */
	uint64_t next;
	uint64_t low, shift, most;
	/* If `leads` is not 0, the 32 bits at `offset` from the result are
	 * tested instead of the result. A result of 0 passes: there are no such
	 * bits, and the meter does not know what the program's function that
	 * reads them returns for 0. */
	uint64_t leads, offset;
	/* If `linked` is not 0, the argument is the address of an object, and
	 * the word at `link` in it is the handle. */
	uint64_t linked, link;
	uint64_t unused[4];
	struct meter_text texts[METER_TEXTS];
};

struct meter_cell {
	uint64_t state; /* enum meter_cell_state */
	uint64_t total; /* ticks of the query so far */
	uint64_t count; /* number of its calls that have returned */
	/* of the call that has begun the query: */
	uint64_t head; /* its ticks */
	uint64_t began;
	uint64_t function; /* the offset of its struct meter_query */
	uint64_t sp, return_address;
	struct meter_kept kept;
	/* of the call that has returned last: the offset of its function's
	 * struct meter_query, and its result */
	uint64_t last, last_result;
	/* the number that was tested at the return of the first call */
	uint64_t tested;
	/* The handle whose cell this is. Only xtrace writes it. It is 0 if all
	 * calls with the cell must stop, because xtrace follows the handle's
	 * query itself, or takes the cell away. A meter that has written the
	 * cell's address into its open call checks it, because the cell may
	 * have got another handle meanwhile. */
	uint64_t handle;
	uint64_t unused[108];
	uint8_t texts[METER_TEXTS][METER_TEXT_ROOM];
	uint8_t unused_end[METER_TEXT_ROOM];
};

struct meter_handle {
	uint64_t handle; /* 0: none */
	uint64_t cell;	 /* address of the handle's cell */
};

/* The area of meters of queries. Its blocks have no texts, and at most one open
 * call. Of this call, `inner` is the address of the cell; `took`, `step` and
 * `most` are the state, total and count that the cell had before the return. */
#define METER_HANDLE_BITS 10
#define METER_CELLS 1024
struct meter_queries {
	struct meter_tables tables;
	uint64_t pages[1 << METER_PAGE_BITS][METER_WAYS];
	struct meter_handle handles[1 << METER_HANDLE_BITS][METER_WAYS];
	/* Not 0: xtrace follows queries itself. Then a call that may be a part
	 * of a query stops if its handle has no query in a cell. */
	uint64_t followed;
	uint64_t unused[7];
	struct meter_query functions[METER_SUMS];
};

/* What a meter has written for the thread. */
enum meter_written {
	METER_NOTHING,
	METER_OPENED, /* an entry: the open call was added */
	METER_CELL,   /* a return of a query: the cell may be changed */
	METER_PASSED, /* a return that selects: the call was counted */
	METER_TICKS,  /* a return: the ticks were added */
	METER_CALLS,  /* as METER_TICKS, and the call was counted */
	METER_STEP,   /* as METER_CALLS, and the histogram was changed */
	/* as METER_STEP, and the ticks were added to the outer open call */
	METER_INNER,
	METER_OWN, /* as METER_INNER, and the call's own ticks were added */
	/* as METER_OWN, and the longest call was changed, or is as before */
	METER_MOST,
	/* a return: all writes were made, and the open call was removed */
	METER_CLOSED,
	METER_IF_ADDED, /* as METER_CLOSED if `added` is 1, else nothing */
	METER_IF_OPENED /* as METER_OPENED if `added` is 1, else nothing */
};

#endif
