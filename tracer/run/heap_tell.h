/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes what a census has found: a table, what has changed since the last one,
 * or events. */
#ifndef TRACER_RUN_HEAP_TELL_H
#define TRACER_RUN_HEAP_TELL_H

#include "heaps/census.h"
#include "tracer/model/session.h"

/* A census of one heap. */
struct heap_taken {
	pid_t pid;
	const char *language; /* the language with its version */
	addr_t module;	      /* where the interpreter is mapped */
	struct census census; /* the rows are sorted */
	uint64_t when;	      /* the time of the census, by clock_now() */
	bool copied_still;
	uint64_t held;	   /* ns for which the census stopped threads */
	uint64_t resident; /* bytes of the process in memory; 0: unknown */
};

/* Adds the line above a heap's table that names its process. */
void heap_tell_process(struct session *session, pid_t pid, const char *name,
		       bool first);

/* Writes the whole census. */
void heap_tell(struct session *session, const struct heap_taken *taken);

/* Writes a table of what has changed, and the whole census as events. */
void heap_tell_changes(struct session *session, const struct heap_taken *before,
		       const struct heap_taken *after);

/* Writes a table of what has changed since the first census. */
void heap_tell_total(struct session *session, const struct heap_taken *first,
		     const struct heap_taken *last);

#endif
