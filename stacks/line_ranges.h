/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Which table of a .debug_line has the line of an address. To read all tables
 * with libdw would take more than the time to inflate them.
 */
#ifndef STACKS_LINE_RANGES_H
#define STACKS_LINE_RANGES_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/vec.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The addresses of one sequence: [low, high). */
struct line_range {
	addr_t low, high;
	uint64_t table; /* its offset in .debug_line */
};

struct line_ranges {
	vec_of(struct line_range) list; /* by address */
};

/* Reads all tables. False if one is not of DWARF 5, is damaged, or tells of the
 * same address as another: then libdw must be asked. To be released in both
 * cases. */
must_check bool line_ranges_read(struct line_ranges *ranges,
				 const uint8_t *bytes, size_t size);
void line_ranges_release(struct line_ranges *ranges);

/* The range with that address, or NULL. */
const struct line_range *line_ranges_find(const struct line_ranges *ranges,
					  addr_t address);

#endif
