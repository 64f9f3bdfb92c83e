/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A span begins in one call and ends in another call, of the same or another
 * function: from mysql_send_query() to mysql_read_query_result(), or from the
 * first sqlite3_step() of a statement to the call that finds no more rows.
 * Begin and end have the same key, a text that the caller makes. Several spans
 * may be open under one key, as on a pipelined connection: the oldest ends
 * first. A span may be found under more keys, its aliases. This code needs no
 * process; a span has a user pointer for its contents.
 *
 * If a span is answered, its time has two parts. The head is the time from its
 * beginning to the answer. The rest is what was spent since in calls and in
 * reads that belong to the span; the time between these is the program's own.
 */
#ifndef TRACER_MODEL_SPANS_H
#define TRACER_MODEL_SPANS_H

#include "base/list.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct span_time {
	int64_t duration;
	uint64_t wall, uncertainty, older; /* as in struct event_call */
};

/* Another key, under which a span is found, too. */
struct span_alias {
	char *key;
	const void *why; /* for the caller: why there is this alias, and which
			    two things it links */
	uint64_t linked[2];
	int64_t rows; /* for the caller: rows before this alias was added */
};

enum { SPAN_ALIASES = 2 };

struct call_span {
	/* links the open spans in the order in which they began */
	struct list link;
	char *key;
	struct span_alias aliases[SPAN_ALIASES];
	unsigned alias_count;
	uint64_t began;
	/* the handle that the handle in the key leads to, as a statement to its
	 * connection; or 0 */
	uint64_t linked;
	int64_t inside; /* time spent in the calls that belong to the span */
	void *beginner; /* the call that began the span, until it returns */
	void *user;	/* set when the beginner has returned */
	bool answered;
	struct span_time head, rest; /* times after the answer has begun */
	/* There were calls or reads after the answer had begun. The time
	 * between these is told apart. */
	bool apart;
	bool has_rows;
	int64_t rows; /* rows of the aliases */
	bool has_first;
	int64_t first; /* time to the first part of the answer */
	bool has_bytes;
	uint64_t bytes; /* bytes of the answer */
};

struct spans {
	struct list open;
	size_t count, most;
};

void spans_init(struct spans *spans, size_t most);
/* Frees the open spans. The caller frees their users. */
void spans_release(struct spans *spans);

/* Begins a span. Returns NULL if too many spans are open. */
struct call_span *spans_begin(struct spans *spans, const char *key,
			      uint64_t began);
/* The span is found under this key, too. The key is copied; alias->key is
 * ignored. If the span's last alias has the same `why`, or if the span has too
 * many aliases, the last alias is replaced. */
void spans_link(struct call_span *span, const char *key,
		const struct span_alias *alias);
/* spans_alias() returns the span's last alias, or NULL if it has none.
 * spans_unlink() removes this alias. */
const struct span_alias *spans_alias(const struct call_span *span);
void spans_unlink(struct call_span *span);
/* Returns the oldest span of this key, or NULL. */
struct call_span *spans_oldest(const struct spans *spans, const char *key);
/* Returns any span whose key has this beginning, or NULL. It is used to end all
 * spans of a process that has ended. */
struct call_span *spans_beginning(const struct spans *spans,
				  const char *beginning);
/* Has any span whose key has this beginning been answered? */
bool spans_answered(const struct spans *spans, const char *beginning);
/* Returns the oldest span of this handle, or NULL: the span is linked with it,
 * or one of its keys ends with it ("fe12/"). Its key has this beginning. */
struct call_span *spans_of_handle(const struct spans *spans,
				  const char *beginning, uint64_t handle);
/* Adds a time to the rest of an answered span. */
void spans_add(struct call_span *span, struct span_time time);
/* Removes and frees the span. */
void spans_end(struct spans *spans, struct call_span *span);

#endif
