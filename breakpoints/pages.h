/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sites of a space by page, and within the page by address, because all
 * requests are for an address, or for the bytes of a page.
 */
#ifndef BREAKPOINTS_PAGES_H
#define BREAKPOINTS_PAGES_H

#include "base/map.h"
#include "base/vec.h"
#include "breakpoints/site.h"

struct page {
	vec_of(struct site *) sites; /* sorted by address */
};

struct pages {
	struct map by_number; /* address / ADDR_PAGE -> struct page */
};

void pages_init(struct pages *pages);
/* Frees the pages, but not the sites. */
void pages_release(struct pages *pages);

/* The page with this number; NULL if it never had a site. */
const struct page *pages_at(const struct pages *pages, uint64_t number);
struct site *pages_find(const struct pages *pages, addr_t address);
/* Adds a site. Its address must not have a site yet. */
void pages_add(struct pages *pages, struct site *site);

/* Walks through all sites, page by page. Start with zeroes; NULL after the
 * last. No site may be added or removed during the walk. */
struct pages_cursor {
	size_t next_page, next_site;
	struct page *page;
};
struct site *pages_next(const struct pages *pages, struct pages_cursor *cursor);

/* Removes and returns a site in [start, end); NULL if none is left. Needs a
 * cursor of its own. */
struct site *pages_take(struct pages *pages, struct pages_cursor *cursor,
			addr_t start, addr_t end);

#endif
