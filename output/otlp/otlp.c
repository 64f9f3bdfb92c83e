/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Spans and metrics for OpenTelemetry. Each line is one request of its protocol
 * as JSON, which is also the form of the file exporter of its collector
 * (https://opentelemetry.io/docs/specs/otel/protocol/file-exporter):
 *
 *	{"resourceSpans":[{"resource":{...},"scopeSpans":[{"scope":{...},
 *	 "spans":[{...},...]}]},...]}
 *	{"resourceMetrics":[...]}
 *
 * The spans of each process are collected until a second has passed, or a batch
 * is large. Metrics are written at each interval, and when their process or the
 * run ends. What is known of a process is freed then.
 */
#include "output/sink.h"

#include "base/clock.h"
#include "base/map.h"
#include "base/xmalloc.h"
#include "output/otlp/attributes.h"
#include "output/otlp/metrics.h"
#include "output/otlp/resource.h"
#include "output/otlp/spans.h"
#include "output/out.h"
#include "output/query.h"
#include "output/redact.h"

#include <stdlib.h>
#include <string.h>

#define SPANS_MOST 512
#define BYTES_MOST ((size_t)512 << 10)
/* The interval of metrics, if none is given; that of OpenTelemetry's
 * libraries. */
#define INTERVAL (60 * CLOCK_SECOND)

#define SCHEMA "https://opentelemetry.io/schemas/1.37.0"

struct otlp_process {
	pid_t pid;
	bool over; /* there will be no more events */
	struct str resource, spans;
	struct metrics metrics;
};

struct otlp_sink {
	struct sink sink;
	const struct look *look;
	struct out *out;
	struct ids ids;
	struct traces traces;
	struct map processes; /* pid -> struct otlp_process */
	unsigned count;	      /* number of spans that wait */
	size_t bytes;	      /* the length of these spans */
	uint64_t told;	      /* when metrics were written */
	struct str line, name;
	struct left_outs left_outs;
};

/* ---- processes -------------------------------------------------------------
 */

static void
set_resource(struct otlp_process *process, const struct event *event)
{
	struct resource resource = {
		.pid = process->pid,
		.path = event->text ? event->text : "",
		.groups = event->groups,
	};

	str_clear(&process->resource);
	resource_add(&process->resource, &resource);
}

/* The process of an event. */
static struct otlp_process *
process_of(struct otlp_sink *otlp, const struct event *event)
{
	uint64_t key = (uint64_t)event->pid;
	struct otlp_process *process = map_get(&otlp->processes, key);
	struct event unknown = { .pid = event->pid };

	if (process)
		return process;
	process = xcalloc(1, sizeof(*process));
	process->pid = event->pid;
	metrics_init(&process->metrics, event->when + otlp->look->epoch_offset);
	set_resource(process, &unknown);
	map_put(&otlp->processes, key, process);
	return process;
}

static void
process_free(struct otlp_process *process)
{
	metrics_release(&process->metrics);
	str_release(&process->resource);
	str_release(&process->spans);
	free(process);
}

/* ---- lines -----------------------------------------------------------------
 */

/* Opens the object of one process, up to its array of spans or metrics. Returns
 * a jsonw that adds to this array. */
static struct jsonw
open_resource(struct str *line, const struct otlp_process *process,
	      const char *scopes, const char *items)
{
	struct jsonw json;

	str_add(line, line->text[line->length - 1] == '[' ? "{" : ",{");
	str_add(line, str_text(&process->resource));
	jsonw_init(&json, line);
	json.comma = true;
	attribute_word(&json, "schemaUrl", SCHEMA);
	jsonw_key(&json, scopes);
	jsonw_open(&json, '[');
	jsonw_open(&json, '{');
	jsonw_key(&json, "scope");
	jsonw_open(&json, '{');
	attribute_word(&json, "name", "xtrace");
	jsonw_close(&json, '}');
	jsonw_key(&json, items);
	jsonw_open(&json, '[');
	return json;
}

static void
close_resource(struct jsonw *json)
{
	jsonw_close(json, ']');
	jsonw_close(json, '}');
	jsonw_close(json, ']');
	jsonw_close(json, '}');
}

static void
write_line(struct otlp_sink *otlp)
{
	str_add(&otlp->line, "]}\n");
	out_write(otlp->out, otlp->line.text, otlp->line.length);
}

static void
write_spans(struct otlp_sink *otlp)
{
	size_t cursor = 0;
	void *at;

	if (otlp->count == 0)
		return;
	str_clear(&otlp->line);
	str_add(&otlp->line, "{\"resourceSpans\":[");
	while (map_next(&otlp->processes, &cursor, NULL, &at)) {
		struct otlp_process *process = at;
		struct jsonw json;

		if (process->spans.length == 0)
			continue;
		json = open_resource(&otlp->line, process, "scopeSpans",
				     "spans");
		str_add(&otlp->line, str_text(&process->spans));
		close_resource(&json);
		str_clear(&process->spans);
	}
	write_line(otlp);
	otlp->count = 0;
	otlp->bytes = 0;
}

/* Writes the metrics of all processes, or only of processes that have ended. */
static void
write_metrics(struct otlp_sink *otlp, uint64_t now, bool all)
{
	size_t cursor = 0, before;
	void *at;

	str_clear(&otlp->line);
	str_add(&otlp->line, "{\"resourceMetrics\":[");
	before = otlp->line.length;
	while (map_next(&otlp->processes, &cursor, NULL, &at)) {
		struct otlp_process *process = at;
		struct jsonw json;

		if (!process->metrics.changed || !(all || process->over))
			continue;
		json = open_resource(&otlp->line, process, "scopeMetrics",
				     "metrics");
		metrics_add(&process->metrics, &json, &otlp->left_outs,
			    now + otlp->look->epoch_offset);
		close_resource(&json);
	}
	if (otlp->line.length > before)
		write_line(otlp);
}

static void
drop_ended(struct otlp_sink *otlp)
{
	size_t cursor = 0;
	uint64_t pid;
	void *at;

	while (map_next(&otlp->processes, &cursor, &pid, &at)) {
		struct otlp_process *process = at;

		if (!process->over)
			continue;
		map_remove(&otlp->processes, pid);
		process_free(process);
	}
}

/* ---- events ----------------------------------------------------------------
 */

/* Begins a span of the event's process. */
static struct jsonw
begin_span(struct otlp_sink *otlp, const struct event *event)
{
	struct str *to = &process_of(otlp, event)->spans;
	struct jsonw json;

	otlp->bytes -= to->length;
	jsonw_init(&json, to);
	json.comma = to->length > 0;
	return json;
}

static void
end_span(struct otlp_sink *otlp, const struct jsonw *json)
{
	otlp->bytes += json->to->length;
	otlp->count++;
	if (otlp->count >= SPANS_MOST || otlp->bytes >= BYTES_MOST)
		write_spans(otlp);
}

static struct span_look
spans_of(const struct otlp_sink *otlp)
{
	return (struct span_look){
		.ids = &otlp->ids,
		.traces = &otlp->traces,
		.epoch_offset = otlp->look->epoch_offset,
		.texts = otlp->look->bind,
	};
}

static void
add_call(struct otlp_sink *otlp, const struct event *event)
{
	const struct event_call *call = event->call;
	const struct argument *sql = query_argument(call);
	struct span_look spans = spans_of(otlp);
	struct operation operation;
	struct jsonw json;
	bool named;

	if ((!sql && !call->connects) || event_endless(call) ||
	    event_longest(call) < otlp->look->min_duration)
		return;
	str_clear(&otlp->name);
	named = sql && redact_add_name(&otlp->name, call, sql);
	operation_of(call, named ? str_text(&otlp->name) : NULL, &operation);
	/* Calls that began before the attach or have not returned are not
	 * counted: their time is only a part of the time of the query. */
	if (sql && !call->before &&
	    (call->end == CALL_RETURNED || call->end == CALL_UNWOUND))
		metrics_count(&process_of(otlp, event)->metrics, &operation,
			      event_shown(call->duration));
	json = begin_span(otlp, event);
	spans_add_call(&spans, &json, event, &operation);
	end_span(otlp, &json);
}

static void
add_other(struct otlp_sink *otlp, const struct event *event)
{
	struct span_look spans = spans_of(otlp);
	struct jsonw json = begin_span(otlp, event);

	if (event->kind == EVENT_REQUEST_END)
		spans_add_request(&spans, &json, event);
	else
		spans_add_transaction(&spans, &json, event);
	end_span(otlp, &json);
}

/* A function is left out in all processes at once, so the metrics of all
 * processes change. */
static void
take_left_out(struct otlp_sink *otlp, const struct event *event)
{
	size_t cursor = 0;
	void *at;

	(void)left_outs_take(&otlp->left_outs, event);
	while (map_next(&otlp->processes, &cursor, NULL, &at))
		((struct otlp_process *)at)->metrics.changed = true;
}

/* The number of a process that has ended may be used again at once. */
static void
end_process(struct otlp_sink *otlp, const struct event *event)
{
	process_of(otlp, event)->over = true;
	write_spans(otlp);
	write_metrics(otlp, event->when, false);
	drop_ended(otlp);
}

static void
otlp_event(struct sink *sink, const struct event *event)
{
	struct otlp_sink *otlp = container_of(sink, struct otlp_sink, sink);

	switch (event->kind) {
	case EVENT_ENTRY:
		query_keep(event->call);
		break;
	case EVENT_RETURN:
		add_call(otlp, event);
		break;
	case EVENT_REQUEST_TRACE:
		traces_take(&otlp->traces, event->request);
		break;
	case EVENT_REQUEST_END:
	case EVENT_TRANSACTION_END:
		add_other(otlp, event);
		break;
	case EVENT_LEFT_OUT:
		take_left_out(otlp, event);
		break;
	case EVENT_EXEC:
		/* The spans that wait are of the program before the exec. */
		write_spans(otlp);
		set_resource(process_of(otlp, event), event);
		break;
	case EVENT_START:
		set_resource(process_of(otlp, event), event);
		break;
	case EVENT_EXITED:
	case EVENT_KILLED:
	case EVENT_LEAVE:
		end_process(otlp, event);
		break;
	default:
		break;
	}
}

static void
otlp_tick(struct sink *sink)
{
	struct otlp_sink *otlp = container_of(sink, struct otlp_sink, sink);
	uint64_t interval =
		otlp->look->interval ? otlp->look->interval : INTERVAL;
	uint64_t now = clock_now();

	write_spans(otlp);
	if (now - otlp->told < interval)
		return;
	otlp->told = now;
	write_metrics(otlp, now, true);
}

static void
otlp_close(struct sink *sink)
{
	struct otlp_sink *otlp = container_of(sink, struct otlp_sink, sink);
	size_t cursor = 0;
	void *process;

	write_spans(otlp);
	write_metrics(otlp, clock_now(), true);
	while (map_next(&otlp->processes, &cursor, NULL, &process))
		process_free(process);
	map_release(&otlp->processes);
	traces_release(&otlp->traces);
	left_outs_release(&otlp->left_outs);
	str_release(&otlp->line);
	str_release(&otlp->name);
	free(otlp);
}

static const struct sink_ops ops = {
	.name = "otlp",
	.stream = true,
	.blind = true,
	.sql = true,
	.whole = true,
	.servers = true,
	.event = otlp_event,
	.tick = otlp_tick,
	.close = otlp_close,
};

struct sink *
otlp_sink_new(const struct look *look, struct out *out)
{
	struct otlp_sink *otlp = xcalloc(1, sizeof(*otlp));

	otlp->sink.ops = &ops;
	otlp->look = look;
	otlp->out = out;
	otlp->told = clock_now();
	ids_init(&otlp->ids);
	map_init(&otlp->processes);
	traces_init(&otlp->traces);
	return &otlp->sink;
}
