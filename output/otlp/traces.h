/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The traces of which requests are a part, as their clients have told. A query
 * may be told after its request has ended, so traces are kept for some time:
 * those of the last TRACES_KEPT requests, and at most twice as many.
 */
#ifndef OUTPUT_OTLP_TRACES_H
#define OUTPUT_OTLP_TRACES_H

#include "base/map.h"
#include "output/event.h"

#include <stdint.h>

enum { TRACES_KEPT = 8192 };

struct traces {
	struct map by_request; /* id of the request -> struct event_trace */
	uint64_t dropped; /* the newest request when old traces were dropped */
};

void traces_init(struct traces *traces);
void traces_release(struct traces *traces);
/* Takes an EVENT_REQUEST_TRACE. */
void traces_take(struct traces *traces, const struct event_request *request);
/* The trace that the request is a part of, or NULL: it begins its own. */
const struct event_trace *traces_of(const struct traces *traces,
				    uint64_t request);

#endif
