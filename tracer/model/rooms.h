/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a lower room of tracer/ calls a higher one. The lower room calls through
 * this table and names no higher room; tracer/run/rooms.c fills the table.
 */
#ifndef TRACER_MODEL_ROOMS_H
#define TRACER_MODEL_ROOMS_H

#include "output/event.h"
#include "tracer/model/tracepoint.h"

struct thread_record;
struct call;
struct calls;
struct hit;
struct observation;
struct program;
struct session;
struct stop;
struct batch;
struct regs;
struct stack;

/* What a tracepoint of one kind does. Each function may be NULL. */
struct behaviour {
	/* A thread has entered the function. Returns 0 or -ESRCH. */
	int (*entered)(struct hit *hit, struct tracepoint *tracepoint,
		       addr_t return_address);
	/* The call, which was entered inside the program, is one of the
	 * thread's calls from now on. Its arguments were fetched; hit->regs are
	 * the registers at its entry, as far as they are known. */
	void (*begun)(struct hit *hit, struct call *call);
	/*
	 * Called after all functions of the site were entered. Returns 0 or
	 * -ESRCH.
	 */
	int (*after)(struct hit *hit);
	/* A call that entered() began has ended. If over() sets call->taken,
	 * the call is kept until call_pool_give(). */
	void (*over)(struct session *session, struct thread_record *record,
		     struct call *call, enum call_end how);
};

/* What a room does when a program begins or ends. Each function may be NULL. */
struct life {
	/* The program begins: by an exec, or because xtrace has attached. */
	void (*born)(struct program *program);
	/* The child is a forked copy of the parent. */
	void (*copied)(struct program *child, const struct program *parent);
	/* Ends the program's open calls and spans with the end `how`: the
	 * program has ended or is being left. */
	void (*ends)(struct program *program, enum call_end how);
	/* Frees the program's record. Writes nothing to the tracee. */
	void (*gone)(struct program *program);
	/* A thread of the program has ended, or is let go. */
	void (*thread_ends)(struct program *program,
			    const struct thread_record *record);
	/* xtrace begins to know a thread, or forgets it. */
	void (*thread_born)(struct thread_record *record);
	void (*thread_gone)(struct thread_record *record);
	/* The thread's exec has succeeded. Its calls end next. */
	void (*execed)(struct thread_record *record);
	/* Queries are left out from now on, or not any more: ends the queries
	 * that are open, and forgets what the break may make wrong. */
	void (*cut)(struct program *program);
};

struct rooms {
	struct behaviour behaviours[TRACEPOINT_KINDS];
	/* called in this order; NULL-terminated */
	const struct life *const *lives;
	/* Called by struct calls when a call has ended. */
	void (*call_over)(struct calls *calls, struct call *call,
			  enum call_end how);
	/* Each function adds to a batch what no filter names, such as the
	 * functions that send and receive on sockets. NULL-terminated. */
	void (*const *additions)(struct batch *batch);
	/*
	 * While xtrace attaches: a thread with these registers blocks in the
	 * system call of this number (-1: in none, or it runs), and in no
	 * function that is probed. No call of the thread was reported yet.
	 * seen: what was observed, or NULL if the thread is stopped. Returns
	 * 0, or -EAGAIN if the thread has run since.
	 */
	int (*blocks)(struct program *program, struct thread_record *record,
		      const struct regs *regs, long number,
		      const struct observation *seen);
	/* The stack of a thread was walked for a call that begins, and the
	 * thread is still stopped. NULL: no room wants it. */
	void (*walked)(struct program *program, struct thread_record *record,
		       const struct stack *stack, struct call *call);
	/* Are queries open that xtrace follows itself? */
	bool (*follows_queries)(const struct session *session);
	/* Is an open query one of this connection or statement? */
	bool (*follows_handle)(const struct program *program, uint64_t handle);
	/* Is a query open of which more calls are to come? */
	bool (*queries_open)(const struct session *session);
	/* The program calls ptrace(). Returns 0, -ESRCH or GUARDS_LET_GO. */
	int (*ptrace_entered)(struct hit *hit);
	/* Handles a stop, see tracer/run/dispatch.h. */
	void (*serve)(struct session *session, const struct stop *stop);
};

#endif
