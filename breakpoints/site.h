/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A site is one address of a space where we have planted a trap, or a jump in
 * place of one. Its record has the original bytes, and the slot where the
 * displaced instructions run. It has owners: as long as one of them needs the
 * site, the trap stays. A byte is never restored just to let a thread pass.
 *
 * A site exists as long as its address is mapped. A site without owners has no
 * trap but keeps its slot, for threads that hit the trap before.
 */
#ifndef BREAKPOINTS_SITE_H
#define BREAKPOINTS_SITE_H

#include "arch/arch.h"
#include "arch/relocated.h"
#include "base/addr.h"

#include <stdbool.h>
#include <stdint.h>

/* The reasons for a trap, in the order in which the owners of one site learn of
 * a hit. */
enum site_owner {
	SITE_OWNER_LOADER, /* the function that the loader calls at r_brk */
	/* an initializer of a module; removed after the hit */
	SITE_OWNER_ONCE,
	/* an address after a system call in which a thread blocks */
	SITE_OWNER_TRIPWIRE,
	/* an address after a system call in which a thread blocks; from there
	 * on the thread's system calls are traced */
	SITE_OWNER_ARRIVAL,
	SITE_OWNER_RETURN, /* a return address with calls in flight */
	SITE_OWNER_CALL,   /* a function's entry, or a gate of the PLT */
	/* a function or system call with which the program changes its SIGTRAP
	 * action */
	SITE_OWNER_GUARD,
	SITE_OWNERS
};

struct jumping;

struct site {
	addr_t address;
	addr_t slot;   /* 0: not made yet */
	addr_t onward; /* where to continue instead of the slot, or 0 */
	/* The bytes that the trap replaces. */
	uint8_t original[TRAP_MOST];
	uint8_t displaced;
	uint8_t steps;
	uint8_t slot_length;
	bool planted;
	bool ambiguous;	 /* see struct relocated */
	uint16_t owners; /* a bit for each enum site_owner */
	uint16_t idle;	 /* how many useless hits there were in a row */
	/* how many more returns to this address lift the trap at once, because
	 * the program has often come here without a return of a traced call */
	uint8_t lifts;
	uint16_t hits; /* hits of which a meter would have counted the calls */
	uint32_t awaited; /* calls in flight that will return here */
	struct slot_step step[SLOT_STEPS];
	uint32_t watched; /* the watcher's number for its trap, or 0 */
	/* number in the list of hot sites (tracer/report/hot_sites.h); 0: not
	 * in it */
	uint32_t hot;
	uint8_t reached_by; /* enum reached_by; only tracer/ uses it */
	void *user;	    /* what to do at a hit; only tracer/ uses it */
	/* NULL, or the jump that the site has in place of the trap, or has had
	 * (breakpoints/jumps.h) */
	struct jumping *jumping;
};

static inline bool
site_owned(const struct site *site, enum site_owner owner)
{
	return site->owners & 1u << owner;
}

#endif
