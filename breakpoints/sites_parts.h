/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of sites.h share: records, and the watcher's number for
 * each. */
#ifndef BREAKPOINTS_SITES_PARTS_H
#define BREAKPOINTS_SITES_PARTS_H

#include "breakpoints/sites.h"

/* The trap instruction of the space's CPU. */
static inline const struct arch_trap *
sites_trap(const struct sites *sites)
{
	return &sites->space->arch->trap;
}

/* A new record of a site. The caller must set all fields. */
struct site *sites_take_record(struct sites *sites);

/* Tells the watcher of the site's trap before it is planted. Returns its
 * number. */
uint32_t sites_note(struct sites *sites, const struct site *site);

#endif
