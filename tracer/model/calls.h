/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls of a thread that have begun and not ended: entries meet returns
 * here, by stack pointer and return address, never by plain nesting. Pure: it
 * is fed numbers, and tested without a process.
 */
#ifndef TRACER_MODEL_CALLS_H
#define TRACER_MODEL_CALLS_H

#include "base/arena.h"
#include "base/reader.h"
#include "base/vec.h"
#include "output/event.h"

#include <stdbool.h>

struct call {
	struct event_call event; /* what the sinks are told */
	addr_t sp;		 /* at entry: where the return address lies */
	addr_t return_address;	 /* 0: its return is not watched */
	uint64_t preserved;   /* its caller's registers, folded; 0: unknown */
	const void *function; /* which one; compared, not looked at */
	struct arena arena;   /* all that belongs to this call */
	void *user;	      /* the roof's */
	bool taken;	      /* ended() keeps it: call_pool_give() later */
};

struct calls {
	vec_of(struct call *) live; /* in order of entry */
	addr_t own_low, own_high;   /* the thread's own stack, 0 if unknown */
	unsigned pushed; /* struct arch_calling's; set before an entry */
	bool copied;	 /* stacks are copied away and back, as greenlets do */
	/* Then, calls whose place was taken: they may come back. */
	vec_of(struct call *) away;
	/* Told when a call is over; the call is recycled when it returns. */
	void (*ended)(struct calls *calls, struct call *call,
		      enum call_end how);
	struct call_pool *pool;
	void *user; /* the roof's */
};

/* Calls that are over and wait to be used again, for many threads. */
struct call_pool {
	vec_of(struct call *) idle;
};

void call_pool_release(struct call_pool *pool);
/* One that was taken. */
void call_pool_give(struct call_pool *pool, struct call *call);

void calls_init(struct calls *calls, struct call_pool *pool,
		void (*ended)(struct calls *, struct call *, enum call_end),
		void *user);
/* Ends nothing; calls_end_all() first. */
void calls_release(struct calls *calls);

/*
 * A function was entered with the stack pointer at its return address, and
 * these registers of its caller, folded (struct arch_calling; 0: unknown).
 * Calls that this proves to be gone are ended first (CALL_UNWOUND). memory is
 * asked where a stack that is not the thread's own leaves it open, and may be
 * NULL. The new call is the last of calls->live.
 */
struct call *calls_enter(struct calls *calls, addr_t sp, addr_t return_address,
			 uint64_t preserved, const void *function,
			 struct reader *memory);

/*
 * A return address was reached with the stack pointer behind it: the calls
 * that return there, innermost first, are ended (CALL_RETURNED), after those
 * they prove gone. How many returned; 0 for a jump that is no return of ours.
 */
size_t calls_return(struct calls *calls, addr_t sp, addr_t pc,
		    uint64_t preserved);

/*
 * The thread came to sp by a jump (longjmp, a handler's end): the calls below
 * are gone.
 */
void calls_landed(struct calls *calls, addr_t sp);

/* Is there a call at sp, or further in? */
bool calls_reach(const struct calls *calls, addr_t sp);

/* The call entered last is over. */
void calls_end_last(struct calls *calls, enum call_end how);
/* The innermost first. */
void calls_end_all(struct calls *calls, enum call_end how);

#endif
