/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Functions of scripts as calls of the trace (--script-calls): a call begins at
 * the interpreter's probe of an entry, and ends at that of a return.
 */
#ifndef TRACER_SCRIPTS_SCRIPT_CALLS_H
#define TRACER_SCRIPTS_SCRIPT_CALLS_H

#include "base/addr.h"
#include "base/attr.h"

struct hit;
struct options;
struct scripts;
struct tracepoint;

/* Returns NULL if --script-calls is not given. */
struct scripts *scripts_new(const struct options *options);
void scripts_free(struct scripts *scripts);

/* The behaviour of TRACEPOINT_SCRIPT: a thread has reached a probe with which
 * an interpreter tells of a function. Returns 0. */
must_check int scripts_hit(struct hit *hit, struct tracepoint *tracepoint,
			   addr_t return_address);

#endif
