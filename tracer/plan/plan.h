/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * From filters and symbols to what is planted. A module is planned for at its
 * two moments: when it is mapped (functions by name, then gates of the PLT) and
 * when it is relocated (what only the filled GOT can tell).
 */
#ifndef TRACER_PLAN_PLAN_H
#define TRACER_PLAN_PLAN_H

#include "tracer/model/session.h"

/* What this room keeps of a program. */
struct planned {
	bool pointed_open;  /* a table of functions is not filled yet */
	bool filled;	    /* PHP's are, and have been looked at */
	bool watches_jumps; /* the sites on longjmp and its kin are planted */
	/* Attaching: what to plant waits until there is room for its slots. */
	bool waiting;
	vec_of(struct planting) pending; /* user: struct tracepoint */
	vec_of(struct site *) tripwires; /* where a thread will lend itself */
};

struct life;
extern const struct life plan_life;

/* thread: a stopped one of the program's space, or NULL. Both answer 0 or
 * -ESRCH. */
must_check int plan_mapped(struct program *program, struct module *module,
			   struct thread *thread);
must_check int plan_relocated(struct program *program, struct module *module,
			      struct thread *thread);

/* Calls out of the module, when the modules that serve them are known. */
must_check int plan_imports(struct program *program, struct module *module,
			    struct thread *thread);

/* Could this module be one that -l names? Then others' calls into it count. */
bool plan_names_library(const struct program *program,
			const struct module *module);

/*
 * Where calls return to: may that place be reached by a jump as well? An enum
 * doubt's bits, from what the module imports. Where it is DOUBT_JUMP, silent
 * sites watch longjmp and its kin from now on.
 */
uint8_t plan_doubt(struct program *program, addr_t address,
		   struct thread *thread);

/* An IFUNC's resolver, a TRACEPOINT_RESOLVER, has answered: plant there. */
must_check int plan_resolved(struct program *program,
			     const struct tracepoint *resolver, addr_t target,
			     struct thread *thread);

/* The tables of functions that held nothing when they were looked at last.
 * 0 or -ESRCH. */
must_check int plan_pointed_again(struct program *program,
				  struct thread *thread);

/* A TRACEPOINT_FILLED was hit: PHP's tables are filled by now. 0 or -ESRCH. */
must_check int plan_filled(struct program *program, struct thread *thread);

/* Plants what waited for room (program->planned->pending). 0 or -ESRCH. */
must_check int plan_pending(struct program *program, struct thread *thread);

/* The names asked for that are nowhere yet are said on stderr, once. */
void plan_say_missing(struct session *session);

#endif
