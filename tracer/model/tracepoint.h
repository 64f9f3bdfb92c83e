/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A traced is what a site stands for: a function to be shown when the site is
 * hit, or a question to be answered silently. Several may share a site (an
 * entry that -x names, the same as the callee of a module that -e names). They
 * belong to the plan of the module for which they were planted.
 */
#ifndef TRACER_MODEL_TRACEPOINT_H
#define TRACER_MODEL_TRACEPOINT_H

#include "base/addr.h"
#include "base/arena.h"

#include <stdbool.h>

struct image;
struct module;
struct probe;
struct proto;
struct socket_function;

enum tracepoint_kind {
	TRACEPOINT_ENTRY,  /* a function's first instruction */
	TRACEPOINT_GATE,   /* a jump through a slot, in the caller */
	TRACEPOINT_CALLEE, /* an entry, of interest when called from `caller` */
	TRACEPOINT_JUMP,   /* longjmp and its kin: silent */
	TRACEPOINT_RESOLVER, /* an IFUNC's: its result is where to plant */
	TRACEPOINT_SOCKET,   /* sends or receives: silent */
	TRACEPOINT_FILLED,   /* tables of functions are filled by now: silent */
	TRACEPOINT_PROBED,   /* an entry for which a set has a probe */
	TRACEPOINT_KINDS,
};

/* Is a function name traced in several modules? Then it is qualified. */
struct name_use {
	const char *module; /* the first one's label */
	bool several;
};

struct plan;

struct tracepoint {
	enum tracepoint_kind kind;
	const char *name;
	const char *shown;     /* demangled where asked, caller-> in front */
	const char *qualified; /* with @module behind; NULL: not asked yet */
	const char *module;    /* label of the defining module, or NULL */
	const char *caller;    /* label of the calling one, or NULL */
	const struct name_use *use;
	const struct proto *proto;	      /* when known; NULL: guessed */
	const struct probe *probe;	      /* of a set, or NULL */
	const struct socket_function *socket; /* SOCKET */
	addr_t address;
	addr_t caller_start, caller_end; /* CALLEE */
	bool entry_only;		 /* _start and its like never return */
	bool proto_known;
	bool takes_sql; /* an argument is; once the prototype is known */
	struct plan *plan;
	struct tracepoint *next; /* at the same site */
};

/* What one module brought: the traced of its sites, kept while calls that
 * show them are in flight. */
struct plan {
	unsigned refs;
	struct arena arena;
	struct image *image; /* whose names are used */
	bool probed;	     /* some of its functions have probes */
	bool doubt_known;
	uint8_t doubt; /* enum doubt, of return addresses in the module */
};

/* How a return address may be reached other than by a return. */
enum doubt {
	DOUBT_CATCH = 1, /* at the end of an exception's handler */
	DOUBT_JUMP = 2,	 /* as the second return of a setjmp */
};

/* A function's first instruction, whoever calls it. */
static inline bool
tracepoint_is_entry(const struct tracepoint *tracepoint)
{
	return tracepoint->kind == TRACEPOINT_ENTRY ||
	       tracepoint->kind == TRACEPOINT_PROBED;
}

struct plan *plan_new(struct image *image);
struct plan *plan_ref(struct plan *plan);
void plan_unref(struct plan *plan);

#endif
