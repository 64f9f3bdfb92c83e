/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wish is what one pass over a module wants planted: it is filled by the
 * parts of the plan (functions, calls, jumps), then planted at once.
 */
#ifndef TRACER_PLAN_WISH_H
#define TRACER_PLAN_WISH_H

#include "conf/filter/filter.h"
#include "tracer/model/session.h"

struct wish {
	struct program *program;
	struct module *module;
	struct plan *plan;
	struct filter_module label;
	vec_of(struct planting) plantings; /* user: struct traced */
};

/* The module's plan, made at the first question. */
struct plan *plan_of(struct module *module);

void wish_init(struct wish *wish, struct program *program,
	       struct module *module);

/* Something to stand at address: kept in the module's plan, not wished for
 * yet. module is the label of what defines it, or NULL. */
struct traced *traced_new(struct wish *wish, enum traced_kind kind,
			  const char *name, const char *module, addr_t address);
/* A set says what is made of its calls: it becomes a TRACED_PROBED. */
void traced_take_probe(struct traced *traced, const struct probe *probe);
void wish_for(struct wish *wish, struct traced *traced);

/* Plants what was wished for, or lets it wait (program->planned->waiting), and
 * empties the wish. 0 or -ESRCH. */
must_check int wish_plant(struct wish *wish, struct thread *thread);

#endif
