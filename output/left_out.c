/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Each event has the sums since the run began, so only the last event of a
 * function counts. */
#include "output/left_out.h"

#include "base/escape.h"
#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

void
left_outs_release(struct left_outs *outs)
{
	for (size_t i = 0; i < outs->rows.count; i++)
		free(outs->rows.at[i].name);
	vec_release(&outs->rows);
}

static struct left_out_row *
row_of(struct left_outs *outs, const char *name)
{
	for (size_t i = 0; i < outs->rows.count; i++)
		if (!strcmp(outs->rows.at[i].name, name))
			return &outs->rows.at[i];
	vec_push(&outs->rows, (struct left_out_row){ .name = xstrdup(name) });
	return &outs->rows.at[outs->rows.count - 1];
}

bool
left_outs_take(struct left_outs *outs, const struct event *event)
{
	const struct event_left_out *what = event->left_out;
	struct left_out_row *row;

	if (event->kind != EVENT_LEFT_OUT)
		return false;
	row = row_of(outs, what->name);
	row->looked = what->looked;
	row->left = what->left;
	row->breaks = what->breaks;
	return true;
}

double
left_out_looked(uint64_t looked, uint64_t left)
{
	uint64_t all = looked + left;

	return all > 0 ? (double)looked / (double)all : 1;
}

static void
add_row(struct str *to, const struct left_out_row *row)
{
	escape_name(to, row->name);
	str_addf(to,
		 ": looked at for %.1f %% of %.1f s, left out for the rest "
		 "(--budget)",
		 100 * left_out_looked(row->looked, row->left),
		 (double)(row->looked + row->left) / 1e9);
}

void
left_outs_add(const struct left_outs *outs, const char *head, struct str *to)
{
	for (size_t i = 0; i < outs->rows.count; i++) {
		str_add(to, head);
		add_row(to, &outs->rows.at[i]);
		str_add_char(to, '\n');
	}
}

void
left_outs_add_most(const struct left_outs *outs, struct str *to)
{
	const struct left_out_row *most = NULL;

	for (size_t i = 0; i < outs->rows.count; i++)
		if (!most || outs->rows.at[i].left > most->left)
			most = &outs->rows.at[i];
	if (most)
		add_row(to, most);
	if (outs->rows.count > 1)
		str_addf(to, " and %zu more", outs->rows.count - 1);
}

void
left_out_add_members(struct jsonw *json, const struct left_out_row *row)
{
	jsonw_key(json, "function");
	jsonw_text(json, row->name, strlen(row->name));
	jsonw_key(json, "looked_at");
	jsonw_seconds(json, row->looked);
	jsonw_key(json, "left_out");
	jsonw_seconds(json, row->left);
	jsonw_key(json, "breaks");
	jsonw_unsigned(json, row->breaks);
}

void
left_outs_add_json(const struct left_outs *outs, struct str *to)
{
	for (size_t i = 0; i < outs->rows.count; i++) {
		struct jsonw json;

		jsonw_init(&json, to);
		jsonw_open(&json, '{');
		jsonw_key(&json, "event");
		jsonw_ascii(&json, "left-out");
		left_out_add_members(&json, &outs->rows.at[i]);
		jsonw_close(&json, '}');
		str_add_char(to, '\n');
	}
}

void
left_out_add_line(struct str *to, const struct event_left_out *what)
{
	str_add(to, "--- ");
	escape_name(to, what->name);
	str_add(to, what->last	? ": the trace ends"
		    : what->out ? ": left out from here on (--budget)"
				: ": looked at again");
	if (!what->out || what->last)
		str_addf(to, "; %s for %.1f %% of %.1f s",
			 what->last ? "looked at" : "so far",
			 100 * left_out_looked(what->looked, what->left),
			 (double)(what->looked + what->left) / 1e9);
	str_add(to, " ---");
}
