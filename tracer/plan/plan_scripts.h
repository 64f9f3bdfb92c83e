/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The probes with which interpreters tell of the functions of their scripts
 * (--script-calls): the SDT probes at the entry and at the return of a
 * function.
 */
#ifndef TRACER_PLAN_PLAN_SCRIPTS_H
#define TRACER_PLAN_PLAN_SCRIPTS_H

#include "conf/filter/script_filter.h"
#include "tracer/plan/batch.h"

/* A probe has fewer arguments than this. */
#define SCRIPT_ARGUMENTS_MOST 8

struct script_probe {
	enum script_language language;
	const char *provider, *name;
	bool returns; /* the probe of a return */
	/*
	 * The interpreter calls itself for each of these functions, so a
	 * function within it has a lower stack pointer at its probe.
	 */
	bool own_frame;
	/* The probe of a return has the same stack pointer as that of the
	 * entry. */
	bool same_frame;
	/* Which argument it is, from 0; -1: there is none. */
	int class, function, file, line;
};

/* Adds the probes of the module, if functions of its language are wanted. */
void plan_add_scripts(struct batch *batch);

/* Is a function of a script traced? */
bool plan_script_chosen(const struct options *options,
			const struct script_function *function);

/* Tells the user which interpreters have no such probes: at the start; and at
 * the end, which interpreters have told of nothing. */
void plan_scripts_say_missing(const struct session *session);
void plan_scripts_say_never(const struct session *session);

#endif
