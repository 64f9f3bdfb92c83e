/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What --alloc has not watched: the sums of the events EVENT_UNWATCHED, and the
 * sentences about them. They are below the table of --alloc, and messages to
 * the user if there is no table.
 */
#ifndef OUTPUT_TABLES_UNWATCHED_H
#define OUTPUT_TABLES_UNWATCHED_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

struct event;

struct unwatched_sum {
	uint64_t gaps;	/* parts of programs' times */
	uint64_t ns;	/* the sum of their lengths */
	uint64_t known; /* of how many gaps the change is known */
	/* the sums of the changes of the gaps in which the memory grew, and of
	 * those in which it shrank, in bytes */
	uint64_t grew, shrank;
};

struct unwatched {
	/* [0]: gaps to which later growths are extrapolated; [1]: the gaps at
	 * the ends of programs */
	struct unwatched_sum sums[2];
};

/* Adds the event if it is an EVENT_UNWATCHED. */
void unwatched_take(struct unwatched *unwatched, const struct event *event);

/* Adds a sentence, without a newline. last: the gaps are at the ends of
 * programs. There is at least one gap. */
void unwatched_add_text(struct str *to, const struct unwatched_sum *sum,
			bool last);

#endif
