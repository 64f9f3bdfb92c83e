/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the table of .debug_line that has the line of an address. If libdw read
 * all tables, this would take longer than inflating them.
 */
#ifndef STACKS_LINE_RANGES_H
#define STACKS_LINE_RANGES_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The addresses of one sequence of a table of lines: [low, high). */
struct line_range {
	addr_t low, high;
	uint64_t table; /* the table's offset in .debug_line */
};

struct line_ranges {
	vec_of(struct line_range) list; /* sorted by address */
};

/*
 * Reads all tables. False if a table is damaged or not of DWARF 5, or if two
 * tables have the same address: then the caller must ask libdw. The ranges must
 * be released in both cases.
 */
must_check bool line_ranges_read(struct line_ranges *ranges,
				 const uint8_t *bytes, size_t size);
void line_ranges_release(struct line_ranges *ranges);

/* The range that contains the address, or NULL. */
const struct line_range *line_ranges_find(const struct line_ranges *ranges,
					  addr_t address);

#endif
