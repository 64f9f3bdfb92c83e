/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Counts numbers by powers of two, and draws them as bpftrace does, 80 columns
 * wide. */
#ifndef OUTPUT_TABLES_POWERS_H
#define OUTPUT_TABLES_POWERS_H

#include "base/str.h"
#include "output/tables/histogram.h"

#include <stdint.h>

/* How many counts there are: below 0, 0, 1, 2 to 3, 4 to 7, and so on. */
#define POWERS 65

struct powers {
	uint64_t counts[POWERS];
	uint64_t count; /* how many numbers were counted */
};

void powers_add(struct powers *powers, int64_t number);
/* Counts the numbers of the histogram. The counts are exact, because no step of
 * the histogram contains numbers of two powers. */
void powers_add_all(struct powers *powers, const struct histogram *histogram);

/* Adds a line for each power, from the first to the last that has numbers:
 *
 *	[512, 1K)             12 |@@@@@@@                       |
 */
void powers_draw(const struct powers *powers, struct str *to);

#endif
