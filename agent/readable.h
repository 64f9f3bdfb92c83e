/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The pages in which meters may read texts, because they were readable at the
 * last look. A program may unmap one of them before the next look, and then
 * call a function with a text in it. If the function does not read that text,
 * the fault in the meter is not the program's (metering_faulted()).
 */
#ifndef AGENT_READABLE_H
#define AGENT_READABLE_H

#include "agent/area.h"

/* Adds the page of the address if it can be read. */
void readable_add(struct area *area, struct space *space, addr_t address);
/* Removes the pages that cannot be read any more from the area's table. */
void readable_check(struct area *area, struct space *space);
/* Removes all pages from the area's table. */
void readable_clear(struct area *area, struct space *space);

#endif
