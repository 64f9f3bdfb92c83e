/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of sites.h share: records, and the watcher's note of each. */
#ifndef BREAKPOINTS_SITES_PARTS_H
#define BREAKPOINTS_SITES_PARTS_H

#include "breakpoints/sites.h"

/* The trap of the space's CPU. */
static inline const struct arch_trap *
sites_trap(const struct sites *sites)
{
	return &sites->space->arch->trap;
}

/* A record to be filled in; what is in it before is of no meaning. */
struct site *sites_take_record(struct sites *sites);

/* The watcher knows of the site's trap before it is written: its number. */
uint32_t sites_note(struct sites *sites, const struct site *site);

#endif
