/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A span begins in one function and ends in another, or in another call of
 * the same: mysql_send_query() to mysql_read_query_result(), the first
 * sqlite3_step() of a statement to the one that has no row. What belongs
 * together has the same key (a text, made by whoever asks). Several spans may
 * be open under one key, as a pipelined connection has them: the oldest ends
 * first. Pure; what a span is of hangs on it.
 */
#ifndef TRACER_MODEL_SPANS_H
#define TRACER_MODEL_SPANS_H

#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct call_span {
	struct list link; /* in the order they began */
	char *key;
	uint64_t began;
	uint64_t inside; /* spent in the calls that belong to it */
	void *beginner;	 /* while the call that began it has not returned */
	void *user;	 /* from then on */
};

struct spans {
	struct list open;
	size_t count, most;
};

void spans_init(struct spans *spans, size_t most);
/* Frees those that are open; their users are the caller's. */
void spans_release(struct spans *spans);

/* NULL where there are too many. */
struct call_span *spans_begin(struct spans *spans, const char *key,
			      uint64_t began);
/* The one of this key that began first, or NULL. */
struct call_span *spans_oldest(const struct spans *spans, const char *key);
/* Any whose key begins so, or NULL: to end all of a process that is gone. */
struct call_span *spans_beginning(const struct spans *spans,
				  const char *beginning);
/* Takes it out and frees it. */
void spans_end(struct spans *spans, struct call_span *span);

#endif
