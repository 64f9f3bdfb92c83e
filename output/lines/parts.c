/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each part of a query's line is left out if it is not known, or if the user
 * does not want it. */
#include "output/lines/parts.h"

#include "output/query.h"
#include "output/stamp.h"

/* Are the parts of the duration shown? Not for a query without rows, and not if
 * the whole answer came at once. If it is unknown when the answer began, only
 * the number of rows is shown. */
static bool
has_parts(const struct event_call *call)
{
	const struct event_outcome *outcome = call->outcome;

	if (outcome && !outcome->has_first && outcome->unseen)
		return outcome->has_rows && outcome->rows > 0;
	return outcome && outcome->has_first &&
	       outcome->first != call->duration &&
	       (!outcome->has_rows || outcome->rows > 0);
}

static void
add_first(struct str *to, const struct event_call *call)
{
	const struct event_outcome *outcome = call->outcome;

	str_add(to, "first ");
	stamp_add_seconds(to,
			  event_shown(event_first(outcome, call->duration)));
	if (outcome->between > 0) {
		str_add(to, ", between ");
		stamp_add_seconds(to, (uint64_t)outcome->between);
	}
}

static void
add_parts(struct str *to, const struct event_call *call)
{
	const struct event_outcome *outcome = call->outcome;

	if (outcome->has_first)
		add_first(to, call);
	if (outcome->has_rows) {
		if (outcome->has_first)
			str_add(to, ", ");
		str_add_count(to, (size_t)outcome->rows, "row", "rows");
	}
	if (outcome->has_bytes) {
		str_add(to, ", ");
		str_add_count(to, outcome->bytes, "byte", "bytes");
	}
}

void
parts_add(struct str *to, const struct event_call *call,
	  const struct look *look)
{
	bool parts = look->durations && has_parts(call);
	uint32_t id = 0;
	bool has_id = look->query_ids && query_call_id(call, &id);

	if (!parts && !has_id)
		return;
	str_add(to, " (");
	if (has_id) {
		str_add(to, "id ");
		query_add_id(to, id);
	}
	if (parts && has_id)
		str_add(to, ", ");
	if (parts)
		add_parts(to, call);
	str_add_char(to, ')');
}
