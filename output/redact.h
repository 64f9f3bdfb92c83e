/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Redaction takes the literals of queries out of an event before the sinks are
 * told (--redact), so no format can show them. The text of a query becomes its
 * fingerprint; other arguments and results become values that cannot be read,
 * and messages of errors, which may quote a literal, are left out.
 */
#ifndef OUTPUT_REDACT_H
#define OUTPUT_REDACT_H

#include "base/arena.h"
#include "base/attr.h"
#include "base/str.h"
#include "output/event.h"
#include "values/value.h"

struct argument;

struct redaction {
	struct arena arena;
	/* what redact_end() puts back */
	struct event_call *call;
	struct arguments *arguments;
	const struct value *result;
	const struct event_outcome *outcome;
};

/* redact_begin() changes the call in place, and redact_end() restores it. The
 * sinks are told in between. The text of a query is read from the call's
 * capture. */
void redact_begin(struct redaction *redaction, struct event_call *call);
void redact_end(struct redaction *redaction);

/*
 * Adds a fingerprint of a query that may leave the machine. It differs from
 * that of query_add_name() in two ways: it follows the rules of the call's
 * server, and if a text could be a name or a string, it is left out with the
 * rest of the query (values/redact.h). False if the text of the query is not
 * known.
 */
must_check bool redact_add_name(struct str *to, const struct event_call *call,
				const struct argument *sql);

#endif
