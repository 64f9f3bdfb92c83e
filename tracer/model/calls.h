/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls of a thread that have begun and not ended. A return is matched with
 * its entry by stack pointer and return address, not by nesting alone. This
 * code gets only numbers and a reader of memory, so it is tested without a
 * process.
 */
#ifndef TRACER_MODEL_CALLS_H
#define TRACER_MODEL_CALLS_H

#include "base/arena.h"
#include "base/reader.h"
#include "base/vec.h"
#include "output/event.h"

#include <stdbool.h>

/* calls_end_overwritten() ends only calls among so many innermost ones. */
#define CALLS_READ_MOST 128

struct call {
	struct event_call event; /* what the sinks are told */
	/* the address where the return address is stored, at the entry */
	addr_t sp;
	addr_t return_address; /* 0: the return is not watched */
	uint64_t preserved;    /* hash of the caller's registers; 0: unknown */
	const void *function;  /* identity of the function; only compared */
	struct arena arena;    /* everything that is stored for this call */
	void *user;	       /* for the use of the rooms above */
	bool taken;	       /* set by ended(): call_pool_give() frees it */
	/* The call of a script's function: it has no place on the native stack,
	 * and nothing but calls_end() ends it. */
	bool placeless;
};

struct calls {
	/* calls that have not ended, in the order of their entries */
	vec_of(struct call *) live;
	addr_t own_low, own_high; /* the thread's own stack, 0 if unknown */
	/* how many bytes a call pushes on the stack, as struct arch_calling
	 * says; set before a call is entered */
	unsigned pushed;
	/* the most bytes of arguments that a function removes from the stack
	 * when it returns, likewise */
	unsigned popped;
	bool copied; /* stacks are copied away and back, as greenlets do */
	/* If copied: suspended calls whose place was taken. They may return
	 * later. */
	vec_of(struct call *) away;
	/* Called when a call has ended; afterwards the call is recycled. */
	void (*ended)(struct calls *calls, struct call *call,
		      enum call_end how);
	struct call_pool *pool;
	void *user; /* for the use of the rooms above */
};

/* Ended calls, kept to be used again, shared by many threads. */
struct call_pool {
	vec_of(struct call *) idle;
};

void call_pool_release(struct call_pool *pool);
/* Gives a call that was taken (see `taken`) back to the pool. */
void call_pool_give(struct call_pool *pool, struct call *call);

void calls_init(struct calls *calls, struct call_pool *pool,
		void (*ended)(struct calls *, struct call *, enum call_end),
		void *user);
/* Frees the memory of the list. Ends no call: call calls_end_all() before. */
void calls_release(struct calls *calls);

/*
 * A function was entered with the stack pointer at its return address.
 * preserved is a hash of its caller's registers (struct arch_calling; 0:
 * unknown). Calls that this entry proves to be unwound are ended first
 * (CALL_UNWOUND). memory is read if a call is on a stack that is not the
 * thread's own; it may be NULL. The new call is the last of calls->live.
 */
struct call *calls_enter(struct calls *calls, addr_t sp, addr_t return_address,
			 uint64_t preserved, const void *function,
			 struct reader *memory);

/* A script's function was entered. The new call is the last of calls->live. */
struct call *calls_enter_placeless(struct calls *calls, const void *function);

/* Adds a copy of a call of another thread, with its place and what the sinks
 * are told, but nothing that is stored in the call's arena. Copies are made in
 * the order of entry. */
struct call *calls_inherit(struct calls *calls, const struct call *from);

/*
 * The thread has reached a return address, and the stack pointer is behind it.
 * The calls that return there are ended (CALL_RETURNED), innermost first.
 * Before them, the calls are ended that this return proves to be unwound.
 * Returns how many calls returned; 0 if the thread has reached the address in
 * another way.
 */
size_t calls_return(struct calls *calls, addr_t sp, addr_t pc,
		    uint64_t preserved);

/*
 * The thread has set its stack pointer to sp by a jump (longjmp, the end of a
 * handler): the calls below are unwound.
 */
void calls_landed(struct calls *calls, addr_t sp);

/*
 * A function was entered with this stack pointer, on the thread's own stack.
 * Ends the calls further up that have been unwound although this entry does not
 * prove it (CALL_UNWOUND): memory has another word where their return address
 * was stored. It reads a word for each of the innermost calls, so it is not a
 * part of calls_enter(). If a recursion is between the call that was left and
 * this entry, a later entry may end the call.
 */
void calls_end_overwritten(struct calls *calls, addr_t sp,
			   struct reader *memory);

/* Is sp on the thread's own stack? False if that stack is not known. */
static inline bool
calls_own_stack(const struct calls *calls, addr_t sp)
{
	return sp >= calls->own_low && sp < calls->own_high;
}

/* Is there a call at sp or below it? */
bool calls_reach(const struct calls *calls, addr_t sp);

/* Ends the call calls->live.at[i]. */
void calls_end(struct calls *calls, size_t i, enum call_end how);
/* Ends the call that was entered last. */
void calls_end_last(struct calls *calls, enum call_end how);
/* Ends all calls, the innermost first. */
void calls_end_all(struct calls *calls, enum call_end how);

#endif
