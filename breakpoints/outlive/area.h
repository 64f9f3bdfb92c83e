/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sizes of a handler area (breakpoints/outlive/survive.h), for the code
 * that makes one and for the code that takes over an old one.
 */
#ifndef BREAKPOINTS_OUTLIVE_AREA_H
#define BREAKPOINTS_OUTLIVE_AREA_H

#include "base/addr.h"
#include "breakpoints/outlive/inside/inside.h"

#include <stdint.h>

#define AREA_CODE_SIZE UINT64_C(0x8000)
/* How many entries the table in the handler area has. */
#define AREA_ENTRIES UINT64_C(1024)

/* The last words of a region that xtrace has mapped for data (agent/area.h). */
struct area_mark {
	uint64_t magic;
	uint64_t start; /* address of the region */
};
#define AREA_MARK_MAGIC UINT64_C(0x7874726163656472)

_Static_assert(INSIDE_PAGE == ADDR_PAGE, "one size of pages");

/* The length of the handler. It is followed by scratch memory for stubs, then
 * by slots. */
static inline uint64_t
area_code_used(const struct inside_code *code)
{
	return (inside_size(code) + 15) & ~UINT64_C(15);
}

static inline uint64_t
area_data_size(uint64_t entries)
{
	return addr_whole_pages(sizeof(struct inside_header) +
				entries * sizeof(struct inside_entry));
}

#endif
