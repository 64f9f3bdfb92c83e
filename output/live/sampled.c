/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A sample is counted as a call of a function that has the name of the sample's
 * row. */
#include "output/live/sampled.h"

#include "base/escape.h"
#include "output/tables/sample_name.h"

#include <string.h>

static void
add_thread(struct str *to, const struct event *event)
{
	str_addf(to, "thread %d of %d", event->tid, event->pid);
	if (!event->text)
		return;
	str_add(to, " (");
	escape_name(to, event->text);
	str_add_char(to, ')');
}

void
sampled_count(struct summary_rows *rows, const struct event *event,
	      const char *by)
{
	int64_t weight = (int64_t)event->weight;
	struct event_call call = { .duration = weight, .wall = event->weight };
	struct event as_call = *event;
	struct str name;

	as_call.kind = EVENT_RETURN;
	as_call.call = &call;
	str_init(&name);
	if (strcmp(by, "thread") == 0)
		add_thread(&name, event);
	else
		sample_add_name(&name, event->call, !strcmp(by, "where"));
	call.name = call.display = str_text(&name);
	summary_rows_count(rows, &as_call, weight);
	str_release(&name);
}
