/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink that writes what it is told about queries as one text, a line for each
 * event:
 *
 *	NAME "TEXT" ...		a query has ended
 *	+NAME "TEXT"		a query is in flight (EVENT_IN_FLIGHT)
 *	@NAME "TEXT"		a page has the open query (EVENT_OPEN)
 *	request ID ...		a request has begun, or ended
 *	transaction ID ...	a transaction has ended
 *
 * With times, durations are written, too.
 */
#ifndef TESTS_UNIT_TRACER_TOLD_H
#define TESTS_UNIT_TRACER_TOLD_H

#include "base/str.h"
#include "output/sink.h"

struct told {
	struct sink sink;
	struct str text;
	bool times;
	/* Called after each event that was written; may be NULL. */
	void (*heard)(struct told *told, const struct event *event);
	void *user;
};

void told_init(struct told *told);
/* Expects these lines since the last call. */
void told_expect(struct told *told, const char *expected);
void told_release(struct told *told);

#endif
