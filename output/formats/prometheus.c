/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The queries as metrics of Prometheus, for the textfile collector of its node
 * exporter or for a port: histograms of their time, and counters of their
 * errors and rows (https://prometheus.io/docs/instrumenting/exposition_formats,
 * version 0.0.4). The text is replaced in one step, once per second if there is
 * something new, so that a reader never gets a half-written text.
 *
 * A label is a fingerprint, which has no value of a query. Each label costs a
 * series of its own, which is never removed. Therefore only the first queries
 * get a label, and all further queries share one. Long labels are cut.
 *
 * A query of which only a part was seen, because it began before xtrace
 * attached or had not ended when xtrace left, has no known time. It does not
 * count.
 */
#include "output/sink.h"

#include "base/clock.h"
#include "base/escape.h"
#include "base/map.h"
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/left_out.h"
#include "output/out.h"
#include "output/query.h"
#include "output/redact.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ROWS_MOST 100
#define LABEL_MOST 200
#define OTHERS "(others)"

static const struct {
	const char *name;
	uint64_t ns;
} bounds[] = {
	{ "0.0001", 100000 },	       { "0.00025", 250000 },
	{ "0.0005", 500000 },	       { "0.001", 1000000 },
	{ "0.0025", 2500000 },	       { "0.005", 5000000 },
	{ "0.01", 10000000 },	       { "0.025", 25000000 },
	{ "0.05", 50000000 },	       { "0.1", 100000000 },
	{ "0.25", 250000000 },	       { "0.5", 500000000 },
	{ "1", 1000000000 },	       { "2.5", UINT64_C(2500000000) },
	{ "5", UINT64_C(5000000000) }, { "10", UINT64_C(10000000000) },
};

#define BOUNDS (sizeof(bounds) / sizeof(bounds[0]))

struct prometheus_row {
	char *labels;		 /* query="select ?",query_id="79bd8c4c" */
	uint64_t within[BOUNDS]; /* queries that took at most the bound */
	uint64_t count, errors, rows;
	uint64_t sum; /* in ns */
};

struct prometheus_sink {
	struct sink sink;
	struct out *out;
	struct strmap by_name;
	vec_of(struct prometheus_row *) list;
	struct str text;
	struct left_outs left_outs;
	bool changed; /* since the file was written */
};

/* The end of a character of UTF-8 at which `name` has at most LABEL_MOST
 * bytes. */
static size_t
label_length(const char *name)
{
	size_t length = strlen(name);

	if (length <= LABEL_MOST)
		return length;
	length = LABEL_MOST;
	while (length > 0 && ((unsigned char)name[length] & 0xc0) == 0x80)
		length--;
	return length;
}

/* Adds the part of the text that a label shows, escaped for its quotes. */
static void
add_label(struct str *to, const char *text)
{
	struct str shown = { 0 };

	escape_name_bytes(&shown, text, label_length(text));
	for (const char *c = str_text(&shown); *c; c++) {
		if (*c == '"' || *c == '\\')
			str_add_char(to, '\\');
		str_add_char(to, *c);
	}
	str_release(&shown);
}

static char *
make_labels(const char *name, const char *text, bool others)
{
	struct str labels = { 0 };
	size_t length = label_length(text);

	str_add(&labels, "query=\"");
	add_label(&labels, text);
	str_add(&labels, text[length] ? "...\",query_id=\"" : "\",query_id=\"");
	if (!others)
		query_add_id(&labels, query_id(name));
	str_add_char(&labels, '"');
	return str_take(&labels);
}

/* text: what may be shown of the query called name. */
static struct prometheus_row *
row_of(struct prometheus_sink *prometheus, const char *name, const char *text)
{
	bool others = prometheus->list.count >= ROWS_MOST;
	struct prometheus_row *row = strmap_get(&prometheus->by_name, name);

	if (!row && others)
		row = strmap_get(&prometheus->by_name, name = text = OTHERS);
	if (row)
		return row;
	row = xcalloc(1, sizeof(*row));
	row->labels = make_labels(name, text, others);
	strmap_put(&prometheus->by_name, name, row);
	vec_push(&prometheus->list, row);
	return row;
}

static void
count(struct prometheus_sink *prometheus, const struct event_call *call)
{
	const struct argument *sql = query_argument(call);
	uint64_t ns = event_shown(call->duration);
	struct str name = { 0 }, text = { 0 };
	struct prometheus_row *row;

	if (!sql)
		return;
	if (!query_add_name(&name, sql) || !redact_add_name(&text, call, sql)) {
		str_add_char(&name, '?');
		str_add_char(&text, '?');
	}
	row = row_of(prometheus, str_text(&name), str_text(&text));
	for (size_t i = 0; i < BOUNDS; i++)
		row->within[i] += ns <= bounds[i].ns;
	row->count++;
	row->sum += ns;
	if (call->outcome) {
		row->errors += call->outcome->failed;
		if (call->outcome->has_rows && call->outcome->rows > 0)
			row->rows += (uint64_t)call->outcome->rows;
	}
	prometheus->changed = true;
	str_release(&name);
	str_release(&text);
}

static void
prometheus_event(struct sink *sink, const struct event *event)
{
	struct prometheus_sink *prometheus =
		container_of(sink, struct prometheus_sink, sink);
	const struct event_call *call = event->call;

	if (left_outs_take(&prometheus->left_outs, event)) {
		prometheus->changed = true;
		return;
	}
	if (event->kind == EVENT_ENTRY)
		query_keep(call);
	if (event->kind == EVENT_RETURN && !call->before &&
	    (call->end == CALL_RETURNED || call->end == CALL_UNWOUND))
		count(prometheus, call);
}

/* ---- the file --------------------------------------------------------------
 */

static void
add_histogram(struct str *to, const struct prometheus_row *row)
{
	static const char name[] = "xtrace_query_duration_seconds";

	for (size_t i = 0; i < BOUNDS; i++)
		str_addf(to, "%s_bucket{%s,le=\"%s\"} %" PRIu64 "\n", name,
			 row->labels, bounds[i].name, row->within[i]);
	str_addf(to, "%s_bucket{%s,le=\"+Inf\"} %" PRIu64 "\n", name,
		 row->labels, row->count);
	str_addf(to, "%s_sum{%s} %" PRIu64 ".%09" PRIu64 "\n", name,
		 row->labels, row->sum / CLOCK_SECOND, row->sum % CLOCK_SECOND);
	str_addf(to, "%s_count{%s} %" PRIu64 "\n", name, row->labels,
		 row->count);
}

/* Adds for how long functions were looked at and left out. The other numbers of
 * the file are not scaled by these times; a program that reads the file may do
 * that. */
static void
add_left_outs(struct str *to, const struct left_outs *outs)
{
	static const char *const names[] = { "xtrace_looked_at_seconds_total",
					     "xtrace_left_out_seconds_total" };

	for (int left = 0; left < 2 && outs->rows.count > 0; left++) {
		str_addf(to,
			 "# HELP %s For how long a function was %s "
			 "(--budget).\n# TYPE %s counter\n",
			 names[left], left ? "left out" : "looked at",
			 names[left]);
		for (size_t i = 0; i < outs->rows.count; i++) {
			const struct left_out_row *row = &outs->rows.at[i];
			uint64_t ns = left ? row->left : row->looked;

			str_addf(to, "%s{function=\"", names[left]);
			add_label(to, row->name);
			str_addf(to, "\"} %" PRIu64 ".%09" PRIu64 "\n",
				 ns / CLOCK_SECOND, ns % CLOCK_SECOND);
		}
	}
}

static void
make_text(struct prometheus_sink *prometheus)
{
	struct str *to = &prometheus->text;
	struct prometheus_row **rows = prometheus->list.at;

	str_clear(to);
	str_add(to, "# HELP xtrace_query_duration_seconds The time of queries, "
		    "as their program sees it.\n"
		    "# TYPE xtrace_query_duration_seconds histogram\n");
	for (size_t i = 0; i < prometheus->list.count; i++)
		add_histogram(to, rows[i]);
	str_add(to, "# HELP xtrace_query_errors_total Queries that failed.\n"
		    "# TYPE xtrace_query_errors_total counter\n");
	for (size_t i = 0; i < prometheus->list.count; i++)
		str_addf(to, "xtrace_query_errors_total{%s} %" PRIu64 "\n",
			 rows[i]->labels, rows[i]->errors);
	str_add(to, "# HELP xtrace_query_rows_total Rows that were returned or "
		    "changed, as far as they are known.\n"
		    "# TYPE xtrace_query_rows_total counter\n");
	for (size_t i = 0; i < prometheus->list.count; i++)
		str_addf(to, "xtrace_query_rows_total{%s} %" PRIu64 "\n",
			 rows[i]->labels, rows[i]->rows);
	add_left_outs(to, &prometheus->left_outs);
}

static void
prometheus_tick(struct sink *sink)
{
	struct prometheus_sink *prometheus =
		container_of(sink, struct prometheus_sink, sink);

	if (!prometheus->changed || !out_anew(prometheus->out))
		return;
	make_text(prometheus);
	out_write(prometheus->out, prometheus->text.text,
		  prometheus->text.length);
	out_complete(prometheus->out);
	prometheus->changed = false;
}

static void
prometheus_close(struct sink *sink)
{
	struct prometheus_sink *prometheus =
		container_of(sink, struct prometheus_sink, sink);
	bool anew = out_anew(prometheus->out);

	/* The file was renamed: its last version is replaced in place. */
	if (!anew)
		out_empty(prometheus->out);
	make_text(prometheus);
	out_write(prometheus->out, prometheus->text.text,
		  prometheus->text.length);
	if (anew)
		out_complete(prometheus->out);
	for (size_t i = 0; i < prometheus->list.count; i++) {
		free(prometheus->list.at[i]->labels);
		free(prometheus->list.at[i]);
	}
	vec_release(&prometheus->list);
	strmap_release(&prometheus->by_name);
	str_release(&prometheus->text);
	left_outs_release(&prometheus->left_outs);
	free(prometheus);
}

static const struct sink_ops ops = {
	.name = "prometheus",
	.blind = true,
	.sql = true,
	.whole = true,
	.event = prometheus_event,
	.tick = prometheus_tick,
	.close = prometheus_close,
};

struct sink *
prometheus_sink_new(const struct look *look, struct out *out)
{
	struct prometheus_sink *prometheus = xcalloc(1, sizeof(*prometheus));

	(void)look;
	prometheus->sink.ops = &ops;
	prometheus->out = out;
	strmap_init(&prometheus->by_name);
	str_init(&prometheus->text);
	prometheus->changed = true;
	return &prometheus->sink;
}
