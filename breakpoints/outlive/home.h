/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sizes of a handler area (breakpoints/outlive/survive.h), for the code
 * that makes one and for the code that takes over an old one.
 */
#ifndef BREAKPOINTS_OUTLIVE_HOME_H
#define BREAKPOINTS_OUTLIVE_HOME_H

#include "breakpoints/outlive/inside/inside.h"

#include <stdint.h>

#define HOME_PAGE UINT64_C(4096)
#define HOME_CODE_SIZE UINT64_C(0x8000)
/* Entries of the area's own table. */
#define HOME_ENTRIES UINT64_C(1024)

static inline uint64_t
home_pages(uint64_t bytes)
{
	return (bytes + HOME_PAGE - 1) & ~(HOME_PAGE - 1);
}

/* The length of the handler. It is followed by scratch memory for stubs, then
 * by slots. */
static inline uint64_t
home_code_used(void)
{
	return (inside_size() + 15) & ~UINT64_C(15);
}

static inline uint64_t
home_data_size(uint64_t entries)
{
	return home_pages(sizeof(struct inside_header) +
			  entries * sizeof(struct inside_entry));
}

#endif
