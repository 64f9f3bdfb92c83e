/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The name of a traced function in the trace. */
#ifndef TRACER_PLAN_NAMING_H
#define TRACER_PLAN_NAMING_H

#include "tracer/plan/batch.h"

/* Fills in the names of the tracepoint that are shown. */
void naming_compose(const struct batch *batch, struct tracepoint *tracepoint);
/* name@library, made when it is first asked for. */
const char *naming_qualified(struct tracepoint *tracepoint);

#endif
