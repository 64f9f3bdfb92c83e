/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A batch is what one pass over a module will plant. The parts of the plan
 * (functions, calls, jumps) fill it, then all of it is planted.
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
	vec_of(struct planting) plantings; /* their user is a tracepoint */
};

/* The module's plan, made when it is first asked for. */
struct plan *plan_of(struct module *module);

/* The module, as filters see it. */
struct filter_module module_label(const struct module *module);

void batch_init(struct batch *batch, struct program *program,
		struct module *module);

/* Makes a tracepoint at address. It is kept in the module's plan and is not yet
 * in the batch. module is the label of the module that defines the function, or
 * NULL. */
struct tracepoint *tracepoint_new(struct batch *batch,
				  enum tracepoint_kind kind, const char *name,
				  const char *module, addr_t address);
/* A set has a probe for the function: the tracepoint becomes a
 * TRACEPOINT_PROBED. */
void tracepoint_take_probe(struct tracepoint *tracepoint,
			   const struct probe *probe);
void batch_add(struct batch *batch, struct tracepoint *tracepoint);

/* Plants the batch, or keeps it for later (program->planned->waiting), and
 * empties it. Returns 0 or -ESRCH. */
must_check int batch_plant(struct batch *batch, struct thread *thread);

#endif
