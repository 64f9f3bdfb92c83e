/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What we leave in a tracee so that it outlives us: a SIGTRAP handler that
 * sends a thread from a trap to its slot, and the table that it reads. This is
 * the layout of both, the same for the handler (compiled for the tracee) and
 * for us who fill it in from outside.
 *
 *	code, r-x   anchor: the magic, and where data is
 *		    the handler, its restorer
 *		    a place for stubs, then slots
 *	data, rw-   header: the program's own action, the table's place
 *		    the table: open addressing, a slot for each site
 */
#ifndef BREAKPOINTS_OUTLIVE_INSIDE_INSIDE_H
#define BREAKPOINTS_OUTLIVE_INSIDE_INSIDE_H

#include <stdint.h>

#define INSIDE_MAGIC UINT64_C(0x346563617274782e) /* ".xtrace4" */
#define INSIDE_REGIONS 64
#define INSIDE_HELD 16

/* First in the code. */
struct inside_anchor {
	uint64_t magic;
	uint64_t data; /* address of struct inside_header */
};

/* As rt_sigaction(2) takes it on x86-64. */
struct inside_action {
	uint64_t handler;
	uint64_t flags;
	uint64_t restorer;
	uint64_t mask;
};

/* site is written last: an entry is there when its site is. */
struct inside_entry {
	uint64_t site;
	uint64_t slot;
	uint64_t original; /* the bytes that stood there, the first lowest */
};

struct inside_region {
	uint64_t start;
	uint64_t size;
	uint64_t used;
};

/* A thread that runs one instruction with its signals held (process/nudge.h);
 * free where thread is 0. */
struct inside_held {
	uint64_t thread;
	uint64_t mask; /* its own */
};

struct inside_header {
	uint64_t magic;
	uint64_t size;		      /* of data, in bytes */
	uint64_t table;		      /* address of the entries */
	uint64_t mask;		      /* their number - 1, a power of two */
	struct inside_action program; /* what was there before ours */
	struct inside_action ours;
	struct inside_action found; /* room for a question */
	uint64_t info[16];	    /* room for a siginfo_t */
	uint64_t region_count;
	struct inside_region regions[INSIDE_REGIONS];
	struct inside_region planned; /* to be mapped; size 0 where none is */
	struct inside_held held[INSIDE_HELD];
};

/* Where to look first for a site; then the next, around the end. */
static inline uint64_t
inside_place(uint64_t site, uint64_t mask)
{
	return site * UINT64_C(0x9e3779b97f4a7c15) >> 32 & mask;
}

/* The bytes to copy, and where in them things are. */
extern const unsigned char __start_inside[], __stop_inside[];
static inline uint64_t
inside_size(void)
{
	return (uintptr_t)__stop_inside - (uintptr_t)__start_inside;
}

extern const unsigned char inside_handler[], inside_restorer[];

#endif
