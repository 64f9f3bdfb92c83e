/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The number of series is bounded. Beyond the bound, further kinds of
 * operations share one series, as the libraries of OpenTelemetry do it
 * (https://opentelemetry.io/docs/specs/otel/metrics/sdk, "Cardinality limits").
 *
 * The counts are cumulative. If a point is lost on its way, the next point
 * contains its counts.
 */
#include "output/otlp/metrics.h"

#include "base/clock.h"
#include "base/xmalloc.h"
#include "output/otlp/attributes.h"
#include "output/otlp/exponential.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SERIES_MOST 100
#define CUMULATIVE 2
#define OTHERS "\n"

struct series {
	const char *system;
	char name[OPERATION_MOST], error[OPERATION_MOST];
	bool others;
	struct exponential times; /* in seconds */
};

void
metrics_init(struct metrics *metrics, uint64_t now)
{
	*metrics = (struct metrics){ .began = now };
	strmap_init(&metrics->by_key);
}

void
metrics_release(struct metrics *metrics)
{
	for (size_t i = 0; i < metrics->list.count; i++)
		free(metrics->list.at[i]);
	vec_release(&metrics->list);
	strmap_release(&metrics->by_key);
}

static struct series *
series_of(struct metrics *metrics, const struct operation *operation)
{
	const char *system =
		operation->system ? operation->system : "other_sql";
	cleanup(freep) char *key = xasprintf("%s %s %s", system,
					     operation->name, operation->error);
	struct series *series = strmap_get(&metrics->by_key, key);
	bool others = metrics->list.count >= SERIES_MOST;

	if (!series && others)
		series = strmap_get(&metrics->by_key, OTHERS);
	if (series)
		return series;
	series = xcalloc(1, sizeof(*series));
	series->system = system;
	series->others = others;
	memcpy(series->name, operation->name, sizeof(series->name));
	memcpy(series->error, operation->error, sizeof(series->error));
	strmap_put(&metrics->by_key, others ? OTHERS : key, series);
	vec_push(&metrics->list, series);
	return series;
}

void
metrics_count(struct metrics *metrics, const struct operation *operation,
	      uint64_t ns)
{
	exponential_add(&series_of(metrics, operation)->times,
			(double)ns / (double)CLOCK_SECOND);
	metrics->changed = true;
}

static void
add_attributes(struct jsonw *json, const struct series *series)
{
	jsonw_key(json, "attributes");
	jsonw_open(json, '[');
	if (series->others) {
		attribute_bool(json, "otel.metric.overflow", true);
	} else {
		attribute_text(json, "db.system.name", series->system);
		if (*series->name)
			attribute_text(json, "db.operation.name", series->name);
		if (*series->error)
			attribute_text(json, "error.type", series->error);
	}
	jsonw_close(json, ']');
}

static void
add_buckets(struct jsonw *json, const struct exponential *times)
{
	jsonw_key(json, "scale");
	jsonw_signed(json, times->scale);
	attribute_member(json, "zeroCount", 0);
	jsonw_key(json, "positive");
	jsonw_open(json, '{');
	jsonw_key(json, "offset");
	jsonw_signed(json, times->first);
	jsonw_key(json, "bucketCounts");
	jsonw_open(json, '[');
	for (unsigned i = 0; i < times->size; i++) {
		char digits[24];

		snprintf(digits, sizeof(digits), "%llu",
			 (unsigned long long)times->counts[i]);
		jsonw_ascii(json, digits);
	}
	jsonw_close(json, ']');
	jsonw_close(json, '}');
}

static void
add_point(struct jsonw *json, const struct series *series, uint64_t began,
	  uint64_t now)
{
	const struct exponential *times = &series->times;

	jsonw_open(json, '{');
	add_attributes(json, series);
	attribute_member(json, "startTimeUnixNano", began);
	attribute_member(json, "timeUnixNano", now);
	attribute_member(json, "count", times->count);
	jsonw_key(json, "sum");
	jsonw_double(json, times->sum);
	add_buckets(json, times);
	jsonw_key(json, "min");
	jsonw_double(json, times->least);
	jsonw_key(json, "max");
	jsonw_double(json, times->most);
	jsonw_close(json, '}');
}

static void
add_left_out(struct jsonw *json, const struct left_out_row *row, bool left,
	     uint64_t began, uint64_t now)
{
	jsonw_open(json, '{');
	jsonw_key(json, "attributes");
	jsonw_open(json, '[');
	attribute_text(json, "code.function.name", row->name);
	jsonw_close(json, ']');
	attribute_member(json, "startTimeUnixNano", began);
	attribute_member(json, "timeUnixNano", now);
	jsonw_key(json, "asDouble");
	jsonw_double(json, (double)(left ? row->left : row->looked) /
				   (double)CLOCK_SECOND);
	jsonw_close(json, '}');
}

/* Adds one of two metrics: for how long functions were looked at, or left
 * out. */
static void
add_left_outs(struct jsonw *json, const struct left_outs *outs, bool left,
	      uint64_t began, uint64_t now)
{
	jsonw_open(json, '{');
	attribute_word(json, "name",
		       left ? "xtrace.left_out.time" : "xtrace.looked_at.time");
	attribute_word(json, "description",
		       left ? "For how long a function was left out."
			    : "For how long a function was looked at.");
	attribute_word(json, "unit", "s");
	jsonw_key(json, "sum");
	jsonw_open(json, '{');
	jsonw_key(json, "aggregationTemporality");
	jsonw_signed(json, CUMULATIVE);
	jsonw_key(json, "isMonotonic");
	jsonw_bool(json, true);
	jsonw_key(json, "dataPoints");
	jsonw_open(json, '[');
	for (size_t i = 0; i < outs->rows.count; i++)
		add_left_out(json, &outs->rows.at[i], left, began, now);
	jsonw_close(json, ']');
	jsonw_close(json, '}');
	jsonw_close(json, '}');
}

static void
add_durations(const struct metrics *metrics, struct jsonw *json, uint64_t now)
{
	jsonw_open(json, '{');
	attribute_word(json, "name", "db.client.operation.duration");
	attribute_word(json, "description",
		       "Duration of database client operations.");
	attribute_word(json, "unit", "s");
	jsonw_key(json, "exponentialHistogram");
	jsonw_open(json, '{');
	jsonw_key(json, "aggregationTemporality");
	jsonw_signed(json, CUMULATIVE);
	jsonw_key(json, "dataPoints");
	jsonw_open(json, '[');
	for (size_t i = 0; i < metrics->list.count; i++)
		add_point(json, metrics->list.at[i], metrics->began, now);
	jsonw_close(json, ']');
	jsonw_close(json, '}');
	jsonw_close(json, '}');
}

void
metrics_add(struct metrics *metrics, struct jsonw *json,
	    const struct left_outs *outs, uint64_t now)
{
	if (metrics->list.count > 0 || outs->rows.count == 0)
		add_durations(metrics, json, now);
	for (int left = 0; left < 2 && outs->rows.count > 0; left++)
		add_left_outs(json, outs, left != 0, metrics->began, now);
	metrics->changed = false;
}
