/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A wish is what one pass over a module wants planted: it is filled by the
 * parts of the plan (functions, calls, jumps), then planted at once.
 */
#ifndef TRACER_PLAN_BATCH_H
#define TRACER_PLAN_BATCH_H

#include "conf/filter/filter.h"
#include "tracer/model/session.h"

struct batch {
	struct program *program;
	struct module *module;
	struct plan *plan;
	struct filter_module label;
	vec_of(struct planting) plantings; /* user: struct tracepoint */
};

/* The module's plan, made at the first question. */
struct plan *plan_of(struct module *module);

void batch_init(struct batch *batch, struct program *program,
		struct module *module);

/* Something to stand at address: kept in the module's plan, not wished for
 * yet. module is the label of what defines it, or NULL. */
struct tracepoint *tracepoint_new(struct batch *batch,
				  enum tracepoint_kind kind, const char *name,
				  const char *module, addr_t address);
/* A set says what is made of its calls: it becomes a TRACEPOINT_PROBED. */
void tracepoint_take_probe(struct tracepoint *tracepoint,
			   const struct probe *probe);
void batch_add(struct batch *batch, struct tracepoint *tracepoint);

/* Plants what was wished for, or lets it wait (program->planned->waiting), and
 * empties the wish. 0 or -ESRCH. */
must_check int batch_plant(struct batch *batch, struct thread *thread);

#endif
