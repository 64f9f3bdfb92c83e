/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each part of a query's line is left out if it is not known, or if the user
 * does not want it. */
#include "output/lines/parts.h"

#include "base/escape.h"
#include "output/query.h"
#include "output/stamp.h"
#include "values/show.h"
#include "values/value.h"

#include <string.h>

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

/* The program's own time is shown from this many ns on. Each result that is
 * stored has some microseconds of it. */
#define BETWEEN_LEAST 1000000

static void
add_first(struct str *to, const struct event_call *call)
{
	const struct event_outcome *outcome = call->outcome;

	str_add(to, "first ");
	stamp_add_seconds(to,
			  event_shown(event_first(outcome, call->duration)));
	if (outcome->between >= BETWEEN_LEAST) {
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

void
parts_add_failure(struct line *line, const struct event_outcome *outcome)
{
	/* If only the result is known of the error, the result shows it. */
	if (!outcome->has_code && !outcome->state && !outcome->message)
		return;
	line_paint(line, LINE_ERROR);
	str_add(&line->text, " ERROR");
	if (outcome->has_code)
		str_addf(&line->text, " %lld", (long long)outcome->code);
	if (outcome->state) {
		str_add(&line->text, " (");
		escape_name(&line->text, outcome->state);
		str_add_char(&line->text, ')');
	}
	if (outcome->message) {
		const struct value_chars of = { outcome->message,
						strlen(outcome->message),
						false };

		str_add_char(&line->text, ' ');
		show_text(&line->text, &of, false);
	}
	line_plain(line);
}
