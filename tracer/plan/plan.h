/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes of filters and symbols what is planted. A module is planned twice: when
 * it is mapped (functions by name, then gates of the PLT) and when it is
 * relocated (what only the filled GOT can tell).
 */
#ifndef TRACER_PLAN_PLAN_H
#define TRACER_PLAN_PLAN_H

#include "conf/filter/filter.h"
#include "tracer/model/session.h"

/* What this room stores for a program. */
struct planned {
	struct names_used *names_used; /* the names in use, see naming.h */
	bool pointed_open;  /* a table of functions is not filled yet */
	bool filled;	    /* PHP's tables are filled and were read */
	bool watches_jumps; /* the sites on longjmp and similar functions are
			     * planted */
	addr_t ruby_core;   /* FrozenCore of Ruby, once its name is mended; see
			     * ruby_core.h */
	/* xtrace attaches, and planting waits until there is room for the
	 * slots */
	bool waiting;
	vec_of(struct planting) pending; /* user: struct tracepoint */
	vec_of(struct site *) tripwires; /* where the first thread that returns
					  * runs an injected call */
};

struct life;
extern const struct life plan_life;

/* thread is a stopped thread of the program's space, or NULL. Both return 0 or
 * -ESRCH. */
must_check int plan_mapped(struct program *program, struct module *module,
			   struct thread *thread);
must_check int plan_relocated(struct program *program, struct module *module,
			      struct thread *thread);

/*
 * After plan_mapped(): can the module's relocation matter, for
 * plan_relocated(), for the frames of scripts, or for the sampler? If it does
 * not matter, module->relocated may remain false, and no thread has to stop
 * when the module is relocated.
 */
bool plan_awaits_relocation(struct program *program, struct module *module);

/* Plans calls out of the module, when the modules that define its imports are
 * known. */
must_check int plan_imports(struct program *program, struct module *module,
			    struct thread *thread);

/* Could -l name this module? Then calls into it from other modules count. */
bool plan_names_library(const struct program *program,
			const struct module *module);

/*
 * May a jump reach this return address as well? Returns bits of enum
 * reached_by, by what the module imports. If REACHED_BY_JUMP is set, silent
 * sites watch longjmp and similar functions from now on.
 */
uint8_t plan_reached_by(struct program *program, addr_t address,
			struct thread *thread);

/* An IFUNC's resolver, a TRACEPOINT_RESOLVER, has returned this address: plants
 * a site at the function there. */
must_check int plan_resolved(struct program *program,
			     const struct tracepoint *resolver, addr_t target,
			     struct thread *thread);

/* Reads again the tables of functions that were empty when they were last read.
 * Returns 0 or -ESRCH. */
must_check int plan_pointed_again(struct program *program,
				  struct thread *thread);

/* A TRACEPOINT_FILLED was hit: PHP's tables are filled by now. Returns 0 or
 * -ESRCH. */
must_check int plan_filled(struct program *program, struct thread *thread);

/* Plants what waited for room (program->planned->pending). Returns 0 or
 * -ESRCH. */
must_check int plan_pending(struct program *program, struct thread *thread);

/* The tamperings of --inject whose filters choose the symbol of this module:
 * bit i for options->tamperings.at[i]. version may be NULL. */
uint64_t plan_tamperings(const struct session *session,
			 const struct filter_module *module, const char *name,
			 const char *version);

#endif
