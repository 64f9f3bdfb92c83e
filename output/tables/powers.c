/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The counts are exact: no number is rounded. K, M, G, T, P and E are powers of
 * 1024, because the bounds are powers of two. The longest bar is for the
 * largest count, and the others are in proportion, rounded down.
 */
#include "output/tables/powers.h"

#define BAR 52
/* Indexes of the counts of numbers below 0, of 0, and of 1. */
enum { BELOW, ZERO, ONE };

static unsigned
power_of(int64_t number)
{
	if (number <= 0)
		return number < 0 ? BELOW : ZERO;
	return ONE + 63 - (unsigned)__builtin_clzll((uint64_t)number);
}

void
powers_add(struct powers *powers, int64_t number)
{
	powers->counts[power_of(number)]++;
	powers->count++;
}

void
powers_add_all(struct powers *powers, const struct histogram *histogram)
{
	for (unsigned octave = 0; octave < HISTOGRAM_OCTAVES; octave++) {
		const uint64_t *steps = histogram->octaves[octave];

		for (unsigned i = 0; steps && i < HISTOGRAM_STEPS; i++) {
			/* Each octave but the first is one power of two. */
			uint64_t number =
				octave == 0
					? i
					: UINT64_C(1) << (octave +
							  HISTOGRAM_BITS - 1);

			powers->counts[power_of((int64_t)number)] += steps[i];
			powers->count += steps[i];
		}
	}
}

/* Adds 2 to the power of this exponent: 512, 1K, 2K. */
static void
add_bound(struct str *to, unsigned exponent)
{
	static const char units[] = "\0KMGTPE";
	char unit = units[exponent / 10];

	str_addf(to, "%u", 1u << exponent % 10);
	if (unit)
		str_add_char(to, unit);
}

static void
add_range(struct str *to, unsigned power)
{
	if (power == BELOW) {
		str_add(to, "(..., 0)");
	} else if (power == ZERO) {
		str_add(to, "[0]");
	} else if (power == ONE) {
		str_add(to, "[1]");
	} else {
		str_add_char(to, '[');
		add_bound(to, power - ONE);
		str_add(to, ", ");
		add_bound(to, power - ONE + 1);
		str_add_char(to, ')');
	}
}

static void
add_line(struct str *to, unsigned power, uint64_t count, uint64_t most)
{
	size_t bar = (size_t)((double)count / (double)most * BAR);
	struct str range;

	str_init(&range);
	add_range(&range, power);
	str_addf(to, "%-16s %8llu |", range.text, (unsigned long long)count);
	str_add_repeated(to, '@', bar);
	str_add_repeated(to, ' ', BAR - bar);
	str_add(to, "|\n");
	str_release(&range);
}

void
powers_draw(const struct powers *powers, struct str *to)
{
	unsigned first = POWERS, last = 0;
	uint64_t most = 0;

	for (unsigned i = 0; i < POWERS; i++) {
		if (!powers->counts[i])
			continue;
		first = first < i ? first : i;
		last = i;
		if (powers->counts[i] > most)
			most = powers->counts[i];
	}
	for (unsigned i = first; i <= last; i++)
		add_line(to, i, powers->counts[i], most);
}
