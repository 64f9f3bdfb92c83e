/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A histogram counts durations (or other numbers of 63 bits) and gives
 * percentiles later without keeping the numbers. Count, sum, least and most are
 * exact. A percentile differs by at most HISTOGRAM_ERROR from the exact one,
 * and is exact below 128. It takes at most 30 KiB, usually 4. Two histograms
 * can be merged; the result is as if one had counted everything.
 */
#ifndef OUTPUT_TABLES_HISTOGRAM_H
#define OUTPUT_TABLES_HISTOGRAM_H

#include "base/attr.h"

#include <stdint.h>

#define HISTOGRAM_BITS 6
#define HISTOGRAM_STEPS (1u << HISTOGRAM_BITS)
#define HISTOGRAM_OCTAVES (64 - HISTOGRAM_BITS + 1)
/* The largest error of a percentile, relative to it: half a step, 0.8 %. */
#define HISTOGRAM_ERROR (1.0 / (2 * HISTOGRAM_STEPS))

struct histogram {
	uint64_t count;
	int64_t sum;
	uint64_t least;
	uint64_t most;
	/* NULL: the octave has no numbers */
	uint64_t *octaves[HISTOGRAM_OCTAVES];
};

void histogram_init(struct histogram *histogram);
void histogram_release(struct histogram *histogram);

/* Counts a number. A negative number counts as 0, but is added to the sum as it
 * is. */
void histogram_add(struct histogram *histogram, int64_t number);
/* Counts `count` numbers that are about `number`. They are not known exactly,
 * so the histogram's `least` is not exact either. A count with bit 63 set is
 * negative: it takes back numbers that were counted before. */
void histogram_add_about(struct histogram *histogram, uint64_t number,
			 uint64_t count);
/* Corrects what histogram_add_about() has added: adds what is missing to the
 * sum, and makes `most` the largest number. */
void histogram_correct(struct histogram *histogram, int64_t missing,
		       uint64_t most);
void histogram_merge(struct histogram *histogram,
		     const struct histogram *other);

/*
 * The smallest number such that at least per_mille thousandths of all numbers
 * are not above it (nearest rank): 500 is the median. 0 for an empty histogram.
 */
uint64_t histogram_percentile(const struct histogram *histogram,
			      unsigned per_mille);
/* The mean, rounded down; 0 for an empty histogram, and if the sum is
 * negative. */
uint64_t histogram_mean(const struct histogram *histogram);

#endif
