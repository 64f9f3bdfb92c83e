/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A tracepoint says why a site is planted: to show calls of a function, or to
 * learn something without showing it. Several tracepoints may share a site: an
 * entry that -x names may be the callee of a module that -e names. A tracepoint
 * belongs to the plan of the module for which it was planted.
 */
#ifndef TRACER_MODEL_TRACEPOINT_H
#define TRACER_MODEL_TRACEPOINT_H

#include "base/addr.h"
#include "base/arena.h"

#include <stdbool.h>

struct budgeted;
struct image;
struct module;
struct operand;
struct probe;
struct proto;
struct script_probe;
struct socket_function;

enum tracepoint_kind {
	TRACEPOINT_ENTRY,  /* a function's first instruction */
	TRACEPOINT_GATE,   /* a gate, in the caller */
	TRACEPOINT_CALLEE, /* an entry, of interest when called from `caller` */
	TRACEPOINT_JUMP,   /* longjmp and similar functions: not shown */
	TRACEPOINT_RESOLVER, /* an IFUNC's: its result is where to plant */
	TRACEPOINT_SOCKET,   /* sends or receives on a socket: not shown */
	TRACEPOINT_FILLED,   /* tables of functions are filled by now: not
			      * shown */
	TRACEPOINT_PROBED,   /* an entry for which a set has a probe */
	TRACEPOINT_SDT,	     /* the nop of an SDT probe */
	/* A probe with which an interpreter tells of the functions of its
	 * script: its site is the nop of the probe. Each function of the script
	 * has a tracepoint of this kind, too, but no site. */
	TRACEPOINT_SCRIPT,
	TRACEPOINT_GROWTH,	/* gets memory from the system: not shown */
	TRACEPOINT_HEAP_END,	/* an interpreter ends: not shown */
	TRACEPOINT_SYSTEM_CALL, /* a system call of the kernel: no site */
	TRACEPOINT_KINDS,
};

/* Is a function name traced in several modules? Then its module is shown. */
struct name_use {
	const char *module; /* label of the first module that has the name */
	bool several;
};

/* Where an SDT probe has its arguments. */
struct sdt_point {
	/* The operands of the arguments, one for each parameter of the
	 * prototype. */
	const struct operand *operands;
	/* the address of the probe's semaphore in the space, or 0 */
	addr_t semaphore;
	addr_t needed; /* another probe's semaphore that it needs, or 0 */
	/* Two variables of Ruby, see tracer/plan/ruby_core.h; or 0. */
	addr_t core, object_class;
};

struct plan;

struct tracepoint {
	enum tracepoint_kind kind;
	const char *name;
	/* the name in the trace: demangled if the user wants that, with
	 * caller-> in front */
	const char *shown;
	/* the name with @module behind it; NULL: not made yet */
	const char *qualified;
	const char *module; /* label of the defining module, or NULL */
	const char *caller; /* label of the calling module, or NULL */
	const struct name_use *use;
	/* valid if proto_known; NULL: the arguments are guessed */
	const struct proto *proto;
	const struct probe *probe;	      /* probe of a set, or NULL */
	const struct socket_function *socket; /* for TRACEPOINT_SOCKET */
	const struct sdt_point *sdt;	      /* for SDT probes */
	/* the probe at the site of a TRACEPOINT_SCRIPT */
	const struct script_probe *script;
	addr_t address;
	addr_t caller_start, caller_end; /* for TRACEPOINT_CALLEE */
	uint64_t tamperings;		 /* bits for each --inject */
	/* a TRACEPOINT_SOCKET that begins or ends a connection */
	bool begins_connection;
	bool waits;	     /* a TRACEPOINT_SOCKET that waits for a socket */
	bool shows_resolver; /* a TRACEPOINT_RESOLVER whose calls are shown */
	bool of_ifunc; /* the function that an IFUNC has chosen, and its name */
	/* the function never returns, as _start and similar functions */
	bool entry_only;
	bool files_asked; /* proto is what prototype files have */
	bool proto_known; /* proto is final, see tracer/plan/learned.h */
	bool takes_sql;	  /* one argument is SQL; valid once the prototype is
			   * known */
	/* the item with which the tracepoint is left out
	 * (tracer/report/left_out.h); NULL: not known yet, or never left out */
	struct budgeted *budgeted;
	struct plan *plan;
	struct tracepoint *next; /* the next tracepoint at the same site */
};

/* What was planted for one module: the tracepoints of its sites. They are kept
 * as long as open calls refer to them. */
struct plan {
	unsigned refs;
	struct arena arena;
	struct image *image; /* owns the strings of the names */
	bool probed;	     /* some of its functions have probes */
	bool ifuncs;	     /* some of its chosen functions are IFUNCs */
	bool awaits_known;
	bool awaits; /* see plan_awaits_relocation() */
	bool reached_by_known;
	uint8_t reached_by; /* enum reached_by, of return addresses in the
			       module */
};

/* How a thread may reach a return address other than by a return. */
enum reached_by {
	REACHED_BY_CATCH = 1, /* at the end of an exception's handler */
	REACHED_BY_JUMP = 2,  /* as the second return of a setjmp */
};

/* A tracepoint at a function's first instruction, whatever module calls it. */
static inline bool
tracepoint_is_entry(const struct tracepoint *tracepoint)
{
	return tracepoint->kind == TRACEPOINT_ENTRY ||
	       tracepoint->kind == TRACEPOINT_PROBED;
}

/* image may be NULL. */
struct plan *plan_new(struct image *image);
struct plan *plan_ref(struct plan *plan);
void plan_unref(struct plan *plan);

#endif
