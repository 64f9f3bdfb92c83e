/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Unmaps what xtrace has mapped in a program, by injected calls. Like
 * remote_run(), the functions return 0 or a negative errno, also that of
 * munmap(2).
 */
#ifndef BREAKPOINTS_OUTLIVE_UNMAP_H
#define BREAKPOINTS_OUTLIVE_UNMAP_H

#include "base/attr.h"
#include "breakpoints/slots/slots.h"

must_check int unmap_range(struct table *table, struct thread *thread,
			   addr_t scratch, addr_t start, uint64_t size);

/*
 * Unmaps all regions of slots, except slack and the region that begins at
 * `except`. Regions that are neighbours are unmapped by one call. newborn: the
 * thread is that of a forked process and has not run yet, so nothing else maps
 * memory there. Then regions are also unmapped by one call if nothing is mapped
 * between them.
 */
must_check int unmap_regions(const struct slots *slots, addr_t except,
			     struct table *table, struct thread *thread,
			     addr_t scratch, bool newborn);

#endif
