/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Queries take from a microsecond to minutes. Users ask how slow the slowest
 * hundredth is, per function or per statement. The range is not known in
 * advance, and memory must not grow with the number of calls.
 *
 * Therefore the steps grow with the numbers: an octave (from one power of two
 * to the next) has 64 equal steps,
 *
 *	octave 0:     0 ... 63    steps of 1
 *	octave 1:    64 ... 127   steps of 1
 *	octave 2:   128 ... 255   steps of 2
 *	octave k:   2^(k+5) ...   steps of 2^(k-1)
 *
 * and a number is reported as the middle of its step. The error is at most half
 * a step, which is 1/128 of the number. An octave is allocated when it gets its
 * first number; the durations of one function fill about ten. All histograms
 * have the same steps, so merging is adding. This is the layout of HdrHistogram
 * with a fixed precision. A sketch that adapts its steps (t-digest) would be
 * smaller, but its error would be harder to state.
 */
#include "output/tables/histogram.h"

#include "base/xmalloc.h"

#include <assert.h>
#include <stdlib.h>

void
histogram_init(struct histogram *histogram)
{
	*histogram = (struct histogram){ .least = UINT64_MAX };
}

void
histogram_release(struct histogram *histogram)
{
	for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++)
		free(histogram->octaves[i]);
	histogram_init(histogram);
}

static unsigned
octave_of(uint64_t value)
{
	if (value < HISTOGRAM_STEPS)
		return 0;
	return 64 - (unsigned)__builtin_clzll(value) - HISTOGRAM_BITS;
}

/* How far a number of an octave is shifted right to get its step. */
static unsigned
shift_of(unsigned octave)
{
	return octave == 0 ? 0 : octave - 1;
}

static uint64_t *
steps_of(struct histogram *histogram, unsigned octave)
{
	uint64_t **steps = &histogram->octaves[octave];

	if (!*steps)
		*steps = xcalloc(HISTOGRAM_STEPS, sizeof(**steps));
	return *steps;
}

/* a + b. If the sum does not fit into an int64_t, the largest or least one. */
static int64_t
sum_of(int64_t a, int64_t b)
{
	int64_t sum;

	if (!__builtin_add_overflow(a, b, &sum))
		return sum;
	return a > 0 ? INT64_MAX : INT64_MIN;
}

static void
count_step(struct histogram *histogram, uint64_t value, uint64_t count)
{
	unsigned octave = octave_of(value);
	uint64_t step = value >> shift_of(octave);

	steps_of(histogram, octave)[step % HISTOGRAM_STEPS] += count;
	histogram->count += count;
	if (value < histogram->least)
		histogram->least = value;
}

void
histogram_add(struct histogram *histogram, int64_t number)
{
	uint64_t value = number > 0 ? (uint64_t)number : 0;

	count_step(histogram, value, 1);
	histogram->sum = sum_of(histogram->sum, number);
	if (value > histogram->most)
		histogram->most = value;
}

void
histogram_add_about(struct histogram *histogram, uint64_t number,
		    uint64_t count)
{
	count_step(histogram, number, count);
	histogram->sum = sum_of(histogram->sum, (int64_t)(number * count));
}

void
histogram_correct(struct histogram *histogram, int64_t missing, uint64_t most)
{
	histogram->sum = sum_of(histogram->sum, missing);
	if (most > histogram->most)
		histogram->most = most;
}

void
histogram_merge(struct histogram *histogram, const struct histogram *other)
{
	for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++) {
		if (!other->octaves[i])
			continue;
		for (unsigned j = 0; j < HISTOGRAM_STEPS; j++)
			steps_of(histogram, i)[j] += other->octaves[i][j];
	}
	histogram->count += other->count;
	histogram->sum = sum_of(histogram->sum, other->sum);
	if (other->least < histogram->least)
		histogram->least = other->least;
	if (other->most > histogram->most)
		histogram->most = other->most;
}

/* The middle of a step, limited to the least and the largest number counted. */
static uint64_t
middle(const struct histogram *histogram, unsigned octave, unsigned step)
{
	uint64_t first = octave == 0 ? step : HISTOGRAM_STEPS + step;
	uint64_t value = first << shift_of(octave);

	if (octave > 1)
		value += UINT64_C(1) << (shift_of(octave) - 1);
	if (value < histogram->least)
		return histogram->least;
	return value > histogram->most ? histogram->most : value;
}

/* ceil(count * per_mille / 1000), without overflow. */
static uint64_t
rank_of(uint64_t count, unsigned per_mille)
{
	uint64_t rank = count / 1000 * per_mille;

	rank += (count % 1000 * per_mille + 999) / 1000;
	return rank > 0 ? rank : 1;
}

uint64_t
histogram_percentile(const struct histogram *histogram, unsigned per_mille)
{
	uint64_t left = rank_of(histogram->count, per_mille);

	assert(per_mille <= 1000);
	if (histogram->count == 0)
		return 0;
	for (unsigned i = 0; i < HISTOGRAM_OCTAVES; i++) {
		const uint64_t *steps = histogram->octaves[i];

		for (unsigned j = 0; steps && j < HISTOGRAM_STEPS; j++) {
			if (steps[j] >= left)
				return middle(histogram, i, j);
			left -= steps[j];
		}
	}
	return histogram->most;
}

uint64_t
histogram_mean(const struct histogram *histogram)
{
	return histogram->count && histogram->sum > 0
		       ? (uint64_t)histogram->sum / histogram->count
		       : 0;
}
