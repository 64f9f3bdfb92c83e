/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The ids of requests count up, but not each request has a trace. So traces are
 * dropped by the distance of their request's id from the newest one. */
#include "output/otlp/traces.h"

#include "base/xmalloc.h"

#include <stdlib.h>

void
traces_init(struct traces *traces)
{
	map_init(&traces->by_request);
	traces->dropped = 0;
}

void
traces_release(struct traces *traces)
{
	size_t cursor = 0;
	void *trace;

	while (map_next(&traces->by_request, &cursor, NULL, &trace))
		free(trace);
	map_release(&traces->by_request);
}

static void
drop_old(struct traces *traces, uint64_t newest)
{
	size_t cursor = 0;
	uint64_t request;
	void *trace;

	while (map_next(&traces->by_request, &cursor, &request, &trace)) {
		if (request + TRACES_KEPT > newest)
			continue;
		map_remove(&traces->by_request, request);
		free(trace);
	}
}

void
traces_take(struct traces *traces, const struct event_request *request)
{
	struct event_trace *trace = xmalloc(sizeof(*trace));

	*trace = *request->trace;
	free(map_remove(&traces->by_request, request->id));
	map_put(&traces->by_request, request->id, trace);
	if (request->id < traces->dropped + TRACES_KEPT)
		return;
	traces->dropped = request->id;
	drop_old(traces, request->id);
}

const struct event_trace *
traces_of(const struct traces *traces, uint64_t request)
{
	return request ? map_get(&traces->by_request, request) : NULL;
}
