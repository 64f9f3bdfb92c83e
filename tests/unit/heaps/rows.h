/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What a census must have in the row of a class. */
#ifndef TESTS_UNIT_HEAPS_ROWS_H
#define TESTS_UNIT_HEAPS_ROWS_H

#include "heaps/census.h"
#include "tests/unit/checks.h"

#include <string.h>

static inline void
check_row(const struct census *census, const char *name, uint64_t objects,
	  uint64_t bytes)
{
	for (size_t i = 0; i < census->rows.count; i++) {
		const struct census_row *row = census->rows.at[i];

		if (strcmp(row->name, name) != 0)
			continue;
		ck_assert_uint_eq(row->count, objects);
		ck_assert_uint_eq(row->bytes, bytes);
		return;
	}
	ck_abort_msg("no row %s", name);
}

#endif
