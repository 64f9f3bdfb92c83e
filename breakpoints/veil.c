/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sites are searched by page, so that reading data costs one map lookup per
 * page, which finds nothing. A byte is replaced only if it is the byte of a
 * site and still a trap, or a byte of its jump.
 */
#include "breakpoints/veil.h"

#include "breakpoints/jumps.h"

/* A read may begin or end within a trap. */
static void
cover_site(const struct site *site, const struct arch_trap *trap, addr_t from,
	   uint8_t *bytes, size_t length)
{
	for (unsigned i = 0; i < trap->length; i++) {
		addr_t at = site->address + i - from;

		if (at < length && bytes[at] == trap->bytes[i])
			bytes[at] = site->original[i];
	}
}

static void
cover_jump(const struct jump *jump, const struct arch_trap *trap, addr_t from,
	   uint8_t *bytes, size_t length)
{
	for (unsigned i = 0; i < jump->length; i++) {
		addr_t at = jump->at + i - from;
		bool traps = i == 0 || jump->boundaries & 1u << i;

		if (at < length && (bytes[at] == jump->planted[i] ||
				    (traps && bytes[at] == trap->bytes[0])))
			bytes[at] = jump->original[i];
	}
}

static void
cover_page(const struct page *page, const struct arch_trap *trap, addr_t from,
	   uint8_t *bytes, size_t length)
{
	for (size_t i = 0; i < page->sites.count; i++) {
		const struct site *site = page->sites.at[i];

		if (jumps_begun(site))
			cover_jump(&site->jumping->jump, trap, from, bytes,
				   length);
		else if (site->planted)
			cover_site(site, trap, from, bytes, length);
	}
}

static void
cover(struct veil *veil, addr_t from, void *bytes, size_t length)
{
	struct sites *sites = container_of(veil, struct sites, veil);
	addr_t last = (from + length - 1) / ADDR_PAGE;

	if (sites->planted == 0 || length == 0)
		return;
	for (addr_t number = from / ADDR_PAGE; number <= last; number++) {
		const struct page *page = pages_at(&sites->pages, number);

		if (page)
			cover_page(page, &sites->space->arch->trap, from, bytes,
				   length);
	}
}

void
veil_init(struct sites *sites)
{
	sites->veil.cover = cover;
}
