/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The sites of a space by the page that they lie in, and in it by address:
 * what is asked is always about an address, or about the bytes of a page.
 */
#ifndef BREAKPOINTS_PAGES_H
#define BREAKPOINTS_PAGES_H

#include "base/map.h"
#include "base/vec.h"
#include "breakpoints/site.h"

#define PAGES_SHIFT 12

struct page {
	vec_of(struct site *) sites; /* by address */
};

struct pages {
	struct map by_number; /* address >> PAGES_SHIFT -> struct page */
};

void pages_init(struct pages *pages);
/* The sites are the caller's. */
void pages_release(struct pages *pages);

/* NULL where nothing was ever added. */
const struct page *pages_at(const struct pages *pages, uint64_t number);
struct site *pages_find(const struct pages *pages, addr_t address);
/* Its address has no site yet. */
void pages_add(struct pages *pages, struct site *site);

/* Walks all, page by page: start with zeroes, NULL behind the last. The sites
 * must not become more meanwhile, nor fewer. */
struct pages_cursor {
	size_t next_page, next_site;
	struct page *page;
};
struct site *pages_next(const struct pages *pages, struct pages_cursor *cursor);

/* Takes one that lies in [start, end) out: NULL when none is left. Give it a
 * cursor of its own. */
struct site *pages_take(struct pages *pages, struct pages_cursor *cursor,
			addr_t start, addr_t end);

#endif
