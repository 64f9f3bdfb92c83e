/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The trace that a request is a part of, as it is in events. */
#ifndef TRACER_QUERIES_REQUEST_TRACE_H
#define TRACER_QUERIES_REQUEST_TRACE_H

#include "output/event.h"
#include "protocols/traceparent.h"

#include <string.h>

static inline struct event_trace
request_trace(const struct traceparent *parent)
{
	struct event_trace trace = { .flags = parent->flags };

	memcpy(trace.id, parent->trace, sizeof(trace.id));
	memcpy(trace.parent, parent->parent, sizeof(trace.parent));
	return trace;
}

#endif
