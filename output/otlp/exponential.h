/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An exponential histogram of OpenTelemetry counts values in buckets whose
 * bounds are powers of 2^(2^-scale). The scale is as large as the bounded
 * number of buckets allows
 * (https://opentelemetry.io/docs/specs/otel/metrics/data-model,
 * "ExponentialHistogram").
 */
#ifndef OUTPUT_OTLP_EXPONENTIAL_H
#define OUTPUT_OTLP_EXPONENTIAL_H

#include <stdint.h>

/* The number of buckets and the scale with which OpenTelemetry's libraries
 * begin. */
#define EXPONENTIAL_BUCKETS 160
#define EXPONENTIAL_SCALE 20

/* Zeroed: no values. Bucket i of counts has the values that are greater than
 * b^(first + i) and at most b^(first + i + 1). */
struct exponential {
	int scale;
	int32_t first;
	unsigned size; /* number of buckets in use */
	uint64_t counts[EXPONENTIAL_BUCKETS];
	uint64_t count;
	double sum, least, most;
};

/* Counts a value, which must be greater than 0. */
void exponential_add(struct exponential *histogram, double value);

#endif
