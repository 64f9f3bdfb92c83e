/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The functions of scripts that were seen: what each is called, and whether it
 * is traced. A function is known by its language, class and name, and in Python
 * by its file, too.
 */
#ifndef TRACER_SCRIPTS_SCRIPT_FUNCTIONS_H
#define TRACER_SCRIPTS_SCRIPT_FUNCTIONS_H

#include "base/map.h"
#include "conf/filter/script_filter.h"
#include "tracer/model/tracepoint.h"

struct options;

struct known_function {
	bool chosen;
	/* the name of the method if it is Kernel#raise or Kernel#fail, which
	 * Ruby leaves without reaching a probe; else NULL */
	const char *raises;
	struct tracepoint tracepoint;
};

struct script_functions {
	const struct options *options;
	struct plan *plan; /* the tracepoints belong to it */
	struct strmap known;
	size_t count;
	/* After too many functions were seen, all new functions of a language
	 * are counted as one function. */
	struct known_function *rest[SCRIPT_LANGUAGES];
};

void script_functions_init(struct script_functions *functions,
			   const struct options *options);
void script_functions_release(struct script_functions *functions);

struct known_function *script_functions_find(
	struct script_functions *functions,
	const struct script_function *function);

#endif
