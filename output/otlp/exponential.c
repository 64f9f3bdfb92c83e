/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * If there is no bucket for a value, each two neighbouring buckets are joined,
 * until the value fits. The index of the joined bucket is half of the old
 * index, rounded down, so nothing is lost but the finer bounds.
 *
 * An upper bound belongs to its bucket. Logarithms are not exact at bounds.
 * Therefore the bounds that are powers of 2 are found by their exponent.
 */
#include "output/otlp/exponential.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static int32_t
index_of(double value, int scale)
{
	int exponent;
	bool power = frexp(value, &exponent) == 0.5;

	exponent--;
	if (scale <= 0)
		return (exponent - power) >> -scale;
	if (power)
		return exponent * (1 << scale) - 1;
	return (int32_t)floor(log(value) * ldexp(M_LOG2E, scale));
}

/* Joins each 2^shift neighbouring buckets. */
static void
coarsen(struct exponential *histogram, int shift)
{
	int32_t first = histogram->first >> shift;
	unsigned size = 0;

	for (unsigned i = 0; i < histogram->size; i++) {
		int32_t index = (histogram->first + (int32_t)i) >> shift;
		unsigned to = (unsigned)(index - first);
		uint64_t count = histogram->counts[i];

		histogram->counts[i] = 0;
		histogram->counts[to] += count;
		size = to + 1;
	}
	histogram->first = first;
	histogram->size = size;
	histogram->scale -= shift;
}

static int32_t
smaller(int32_t a, int32_t b)
{
	return a < b ? a : b;
}

static int32_t
larger(int32_t a, int32_t b)
{
	return a > b ? a : b;
}

/* Makes room for the bucket with this index, joining buckets if necessary. The
 * index is that of the scale before the joining. */
static void
make_room(struct exponential *histogram, int32_t index)
{
	int32_t low = smaller(histogram->first, index);
	int32_t high =
		larger(histogram->first + (int32_t)histogram->size - 1, index);
	int shift = 0;

	while ((high >> shift) - (low >> shift) >= EXPONENTIAL_BUCKETS)
		shift++;
	if (shift > 0)
		coarsen(histogram, shift);
}

/* The bucket with this index; the buckets between become empty ones. */
static uint64_t *
bucket(struct exponential *histogram, int32_t index)
{
	uint64_t *counts = histogram->counts;

	if (index < histogram->first) {
		unsigned by = (unsigned)(histogram->first - index);

		memmove(counts + by, counts,
			histogram->size * sizeof(counts[0]));
		memset(counts, 0, by * sizeof(counts[0]));
		histogram->first = index;
		histogram->size += by;
	}
	if (index >= histogram->first + (int32_t)histogram->size)
		histogram->size = (unsigned)(index - histogram->first) + 1;
	return &counts[index - histogram->first];
}

void
exponential_add(struct exponential *histogram, double value)
{
	if (histogram->count == 0) {
		histogram->scale = EXPONENTIAL_SCALE;
		histogram->first = index_of(value, EXPONENTIAL_SCALE);
		histogram->size = 1;
		histogram->least = histogram->most = value;
	} else {
		make_room(histogram, index_of(value, histogram->scale));
	}
	++*bucket(histogram, index_of(value, histogram->scale));
	histogram->count++;
	histogram->sum += value;
	if (value < histogram->least)
		histogram->least = value;
	if (value > histogram->most)
		histogram->most = value;
}
