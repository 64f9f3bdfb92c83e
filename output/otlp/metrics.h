/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The metric db.client.operation.duration of one process: an exponential
 * histogram for each kind of operation
 * (https://opentelemetry.io/docs/specs/semconv/database/database-metrics).
 */
#ifndef OUTPUT_OTLP_METRICS_H
#define OUTPUT_OTLP_METRICS_H

#include "base/map.h"
#include "base/vec.h"
#include "output/left_out.h"
#include "output/otlp/spans.h"

struct series;

struct metrics {
	struct strmap by_key;
	vec_of(struct series *) list;
	uint64_t began; /* since the Epoch */
	bool changed;	/* something was counted since metrics_add() */
};

void metrics_init(struct metrics *metrics, uint64_t now);
void metrics_release(struct metrics *metrics);
/* Counts an operation that took so many ns. */
void metrics_count(struct metrics *metrics, const struct operation *operation,
		   uint64_t ns);
/* Adds the objects of the metrics: the operations that were counted since
 * `began`, and for how long functions were looked at and left out. `now` is
 * since the Epoch. */
void metrics_add(struct metrics *metrics, struct jsonw *json,
		 const struct left_outs *outs, uint64_t now);

#endif
