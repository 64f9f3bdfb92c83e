/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes the censuses of the heaps of a process. */
#ifndef TRACER_RUN_HEAP_COUNT_H
#define TRACER_RUN_HEAP_COUNT_H

#include "tracer/model/session.h"
#include "tracer/run/heap_tell.h"

struct heap_counting {
	struct session *session;
	/* Called for each census that was taken; takes it over. */
	void (*found)(struct heap_counting *counting,
		      const struct heap_taken *taken);
	/* The thread that may change the heap is stopped since this time
	 * (clock_now()), and stays so; 0: all threads run. */
	uint64_t since;
	size_t heaps; /* how many were found */
};

/* 0, even if no heap was found; or a negative errno with a sentence. */
must_check int heap_count(struct heap_counting *counting,
			  struct process *process,
			  const struct program *program, struct err *err);

/* heap_none_in() and heap_none_known() return the error that no interpreter was
 * found. `who` is the beginning of the error's sentence. */
must_check int heap_none_in(const struct session *session, struct err *err,
			    pid_t pid);
must_check int heap_none_known(const struct session *session, struct err *err,
			       const char *who);

#endif
