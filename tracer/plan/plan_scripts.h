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
	 * The interpreter calls itself for each function that has this probe.
	 * So a function that such a function calls has a lower stack pointer at
	 * its probe.
	 */
	bool own_frame;
	/* The stack pointer at the probe of a function's return is the same as
	 * it was at the probe of its entry. */
	bool same_frame;
	/* The numbers of the probe's arguments that have these values, counted
	 * from 0; -1: no argument has the value. */
	int class, function, file, line;
};

/* Adds the module's probes of script functions, if functions of their language
 * are wanted. */
void plan_add_scripts(struct batch *batch);

/* Is a function of a script traced? */
bool plan_script_chosen(const struct options *options,
			const struct script_function *function);

/* The first function tells the user at the start which interpreters have no
 * probes of script functions. The second one tells at the end which
 * interpreters have told of no function. */
void plan_scripts_say_missing(struct session *session);
void plan_scripts_say_never(const struct session *session);

#endif
