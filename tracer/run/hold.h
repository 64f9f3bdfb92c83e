/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A hold keeps the memory of a process as it is, for as long as it is copied.
 * Threads that block in a system call are not stopped: afterwards xtrace checks
 * that they have not run. Threads that run are stopped.
 */
#ifndef TRACER_RUN_HOLD_H
#define TRACER_RUN_HOLD_H

#include "base/attr.h"
#include "base/err.h"
#include "base/vec.h"
#include "process/thread.h"

#include <signal.h>

struct hold_blocked;
struct hold_stopped;

struct hold {
	struct table *table;
	struct process *process;
	/* firm: threads that block are stopped, too, if their system call
	 * continues without a visible effect. */
	bool firm;
	vec_of(struct hold_blocked) blocked;
	vec_of(struct hold_stopped) stopped;
	sigset_t signals; /* xtrace's mask before the hold */
	int nice;	  /* xtrace's priority before the hold */
	uint64_t since;	  /* clock_now() at the first stop, or 0 */
};

/* 0, or a negative errno with a sentence; then nothing is held. */
must_check int hold_begin(struct hold *hold, struct table *table,
			  struct process *process, bool firm, struct err *err);

/* Lets the threads run. Returns whether none of the threads has run since
 * hold_begin(); sets *ret_held to the time in ns for which threads were
 * stopped. */
bool hold_end(struct hold *hold, uint64_t *ret_held);

#endif
