/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What we leave in a tracee so that it survives our death: a SIGTRAP handler
 * that sends a thread from a trap to its slot, and the table that the handler
 * reads. This is the layout of both, shared by the handler (compiled for the
 * tracee) and by the code that writes them from outside.
 *
 *	code, r-x   anchor: the magic, and the address of data
 *		    the handler, its restorer
 *		    scratch memory for stubs, then slots
 *	data, rw-   header: the program's own action, the table's address
 *		    the table: open addressing, an entry for each site
 */
#ifndef BREAKPOINTS_OUTLIVE_INSIDE_INSIDE_H
#define BREAKPOINTS_OUTLIVE_INSIDE_INSIDE_H

#include <stdint.h>

/* the same as ADDR_PAGE, whose header cannot be included here */
#define INSIDE_PAGE 4096
#define INSIDE_MAGIC UINT64_C(0x366563617274782e) /* ".xtrace6" */
/* Springboards are in pages of their own: those of 400 functions and of the
 * addresses to which they return need up to 160 regions. */
#define INSIDE_REGIONS 1024
#define INSIDE_HELD 16

/* The first bytes of the handler area's code. */
struct inside_anchor {
	uint64_t magic;
	uint64_t data; /* address of struct inside_header */
};

/* A signal action in the form that rt_sigaction(2) takes. */
struct inside_action {
	uint64_t handler;
	uint64_t flags;
	uint64_t restorer;
	uint64_t mask;
};

/* site is written last: an entry is valid if its site is not 0. */
struct inside_entry {
	uint64_t site;
	uint64_t slot;
	uint64_t original; /* the bytes that the trap replaces, first lowest */
	/*
	 * 0, or a jump in place of the trap, packed from the lowest byte up:
	 * its bytes, its boundaries, its length (arch/jump.h). The traps at the
	 * boundaries and in the check have entries of their own. The original
	 * of such an entry is a trap, so that restoring it changes nothing.
	 */
	uint64_t jump;
};

struct inside_region {
	uint64_t start;
	uint64_t size;
	uint64_t used;
};

/* A thread that runs one instruction while its signals are held
 * (process/nudge.h). Free if thread is 0. */
struct inside_held {
	uint64_t thread;
	uint64_t mask; /* the thread's own mask */
};

struct inside_header {
	uint64_t magic;
	uint64_t size;	/* size of the data region, in bytes */
	uint64_t table; /* address of the entries */
	/* number of the table's entries - 1; the number is a power of two */
	uint64_t mask;
	/* the program's own action, in place of which ours is set */
	struct inside_action program;
	struct inside_action ours;
	struct inside_action found; /* buffer for a query */
	uint64_t info[16];	    /* buffer for a siginfo_t */
	uint64_t region_count;
	/* the region that xtrace will map next; size 0: none */
	struct inside_region planned;
	struct inside_region regions[INSIDE_REGIONS];
	struct inside_held held[INSIDE_HELD];
};

/* The size, in bytes, of the header up to the last region that it names. */
static inline uint64_t
inside_named(const struct inside_header *header)
{
	return (uintptr_t)(header->regions + header->region_count) -
	       (uintptr_t)header;
}

/* The index at which the search for a site begins. It continues with the next
 * indexes, and wraps around at the end of the table. */
static inline uint64_t
inside_place(uint64_t site, uint64_t mask)
{
	return site * UINT64_C(0x9e3779b97f4a7c15) >> 32 & mask;
}

/* A section with a handler, which is copied into programs of one kind. */
struct inside_code {
	const unsigned char *start, *stop;
	const unsigned char *handler;
	/* NULL: the action needs no restorer */
	const unsigned char *restorer;
};

/* The code for programs whose addresses have `word` bytes; NULL: there is none.
 */
const struct inside_code *inside_code(unsigned word);

static inline uint64_t
inside_size(const struct inside_code *code)
{
	return (uintptr_t)code->stop - (uintptr_t)code->start;
}

#endif
