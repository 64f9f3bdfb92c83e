/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spans of OpenTelemetry, made of events: queries, connecting, requests and
 * transactions, with the names of its semantic conventions
 * (https://opentelemetry.io/docs/specs/semconv/database/database-spans and
 * .../http/http-spans).
 */
#ifndef OUTPUT_OTLP_SPANS_H
#define OUTPUT_OTLP_SPANS_H

#include "output/event.h"
#include "output/otlp/ids.h"
#include "output/otlp/traces.h"

/* The longest name of an operation, with its NUL. */
#define OPERATION_MOST 24

/* What is said of a call to a database, in spans and metrics. */
struct operation {
	const char *system;	    /* "postgresql", or NULL: no database */
	const char *text;	    /* the fingerprint, or NULL */
	char name[OPERATION_MOST];  /* "SELECT", or "" */
	char error[OPERATION_MOST]; /* the error's type, or "" */
};

/* What all spans of a run have in common. */
struct span_look {
	const struct ids *ids;
	const struct traces *traces;
	uint64_t epoch_offset;
	/* texts of queries and messages of errors are sent as they are */
	bool texts;
};

/* What a call does; text must exist as long as the result. */
void operation_of(const struct event_call *call, const char *text,
		  struct operation *ret_operation);

/* Adds the span of a call that has ended. */
void spans_add_call(const struct span_look *spans, struct jsonw *json,
		    const struct event *event,
		    const struct operation *operation);
/* Adds the span of EVENT_REQUEST_END or EVENT_TRANSACTION_END. */
void spans_add_request(const struct span_look *spans, struct jsonw *json,
		       const struct event *event);
void spans_add_transaction(const struct span_look *spans, struct jsonw *json,
			   const struct event *event);

#endif
