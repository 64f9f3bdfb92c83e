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
 * Adds the fingerprint of a query as it may leave the machine: like
 * query_add_name(), but by the rules of the call's server, and what is not
 * certain to be a name is left out (values/redact.h). False if the text is not
 * known.
 */
must_check bool redact_add_name(struct str *to, const struct event_call *call,
				const struct argument *sql);

#endif
