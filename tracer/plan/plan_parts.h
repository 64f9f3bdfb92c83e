/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The parts of the plan. Each adds tracepoints to a batch. */
#ifndef TRACER_PLAN_PLAN_PARTS_H
#define TRACER_PLAN_PLAN_PARTS_H

#include "symbols/symtab.h"
#include "tracer/plan/batch.h"

struct filter;
struct pattern;

/* Does the filter select that symbol of the module? version may be NULL. */
bool plan_chooses(const struct filter *filter,
		  const struct filter_module *module, const char *name,
		  const char *version);
bool plan_is_function(const struct symbol *symbol);

/* plan_functions.c: what -x names, and the results of IFUNCs. */
void plan_add_functions(struct batch *batch);
void plan_add_ifuncs(struct batch *batch);
void plan_add_target(struct batch *batch, const char *name, addr_t target);

/* plan_pointed.c: functions in tables that a set names. */
void plan_add_pointed(struct batch *batch);

/* plan_calls.c: does -l name this module? A pattern with a slash is a path. */
bool plan_library_matches(const struct pattern *library,
			  const struct filter_module *module);
/* Adds the gates that -e and -l select, and callees without a gate. */
void plan_add_gates(struct batch *batch);
void plan_add_callees(struct batch *batch);
/* Could calls out of the batch's module be shown? */
bool plan_wants_imports(const struct batch *batch);

#endif
