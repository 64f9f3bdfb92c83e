/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a lower room of the roof asks of a higher one. A room that has something
 * to tell calls through this table and knows nobody by name; tracer/run/rooms.c
 * fills the table.
 */
#ifndef TRACER_MODEL_ROOMS_H
#define TRACER_MODEL_ROOMS_H

#include "output/event.h"
#include "tracer/model/tracepoint.h"

struct actor;
struct call;
struct calls;
struct hit;
struct program;
struct session;
struct stop;
struct batch;

/* What a tracepoint of one kind does. Each function may be NULL. */
struct behaviour {
	/* The function was entered. 0 or -ESRCH. */
	int (*entered)(struct hit *hit, struct tracepoint *tracepoint,
		       addr_t return_address);
	/* The same, once all functions of the site were entered. */
	int (*after)(struct hit *hit);
	/* A call that entered() has begun is over. With call->taken set, the
	 * call is kept until call_pool_give(). */
	void (*over)(struct session *session, struct actor *actor,
		     struct call *call, enum call_end how);
};

/* What a room does in the life of a program. Each function may be NULL. */
struct life {
	/* It begins: by an exec, or because it was attached to. */
	void (*born)(struct program *program);
	/* The child is a forked copy of the parent. */
	void (*copied)(struct program *child, const struct program *parent);
	/* What is under way in it is told as it stands: it is gone or let go
	 * of. */
	void (*ends)(struct program *program, enum call_end how);
	/* Its record is freed. Nothing is written to the tracee. */
	void (*gone)(struct program *program);
	/* A thread is known from now on, or no more. */
	void (*thread_born)(struct actor *actor);
	void (*thread_gone)(struct actor *actor);
};

struct rooms {
	struct behaviour behaviours[TRACEPOINT_KINDS];
	const struct life *const *lives; /* in this order; NULL-terminated */
	/* What struct calls tells of a call that is over. */
	void (*call_over)(struct calls *calls, struct call *call,
			  enum call_end how);
	/* Parts of the plan besides filters: NULL-terminated. */
	void (*const *additions)(struct batch *batch);
	/* The program calls ptrace(). 0, -ESRCH or GUARDS_LET_GO. */
	int (*ptrace_entered)(struct hit *hit);
	/* Serves a stop, see tracer/run/dispatch.h. */
	void (*serve)(struct session *session, const struct stop *stop);
};

#endif
