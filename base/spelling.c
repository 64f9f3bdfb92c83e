/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The Levenshtein distance, with one row of costs. Words are short: a longer
 * one is not compared.
 */
#include "base/spelling.h"

#include "base/attr.h"

#include <stdint.h>
#include <string.h>

size_t
spelling_distance(const char *a, const char *b)
{
	size_t costs[64], length = strlen(b);

	if (length >= array_size(costs))
		return SIZE_MAX;
	for (size_t j = 0; j <= length; j++)
		costs[j] = j;
	for (size_t i = 0; a[i]; i++) {
		size_t corner = costs[0];

		costs[0] = i + 1;
		for (size_t j = 0; j < length; j++) {
			size_t swap = corner + (a[i] != b[j]);
			size_t drop = costs[j + 1] + 1;
			size_t add = costs[j] + 1;

			corner = costs[j + 1];
			costs[j + 1] = swap < drop ? swap : drop;
			if (add < costs[j + 1])
				costs[j + 1] = add;
		}
	}
	return costs[length];
}
