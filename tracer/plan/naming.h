/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a traced function in the trace. */
#ifndef TRACER_PLAN_NAMING_H
#define TRACER_PLAN_NAMING_H

#include "tracer/plan/batch.h"

/* The names that are traced in one image of a program. The copies that fork
 * makes of the program share it. */
struct names_used;

struct names_used *names_used_new(void);
struct names_used *names_used_ref(struct names_used *used);
void names_used_unref(struct names_used *used);

/* Fills in the names of the tracepoint that are shown. */
void naming_compose(const struct batch *batch, struct tracepoint *tracepoint);
/* The resolver of an IFUNC is shown as ltrace does: name.IFUNC@library() =
 * ADDRESS. The function that it chose is traced by its own name. */
void naming_show_resolver(const struct batch *batch,
			  struct tracepoint *tracepoint);
/* name@library, made when it is first asked for. */
const char *naming_qualified(struct tracepoint *tracepoint);

#endif
