/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Work that is done when the threads were resumed, because it reads files or
 * takes long. report_complete() does it.
 */
#ifndef TRACER_REPORT_COMPLETION_H
#define TRACER_REPORT_COMPLETION_H

#include "base/vec.h"

#include <stdbool.h>

struct call;
struct program;
struct unlearned;
struct unnamed;

struct completion {
	/*
	 * Calls that are completed: their frames get names (where.h), their
	 * function gets a prototype (call_arguments.h). Then the sinks get the
	 * entries in untold.
	 */
	vec_of(struct unnamed *) unnamed;
	vec_of(struct unlearned *) unlearned;
	vec_of(struct call *) untold;
	bool runs; /* report_complete() runs now */
	/* Programs that have new modules. Before walks can go through these
	 * modules, their files have to be read. */
	vec_of(struct program *) unprepared;
};

struct completion *completion_new(void);
/* completion may be NULL. */
void completion_free(struct completion *completion);

#endif
