/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map of pages, with a sorted list in each page. 200 000 sites need some
 * thousand pages, so the map fits into the CPU's caches. Sites that are planted
 * in the order of their addresses are added at the end of their lists. The cost
 * of a hit does not depend on the total number of sites.
 */
#include "breakpoints/pages.h"

#include "base/xmalloc.h"

#include <assert.h>
#include <stdlib.h>

void
pages_init(struct pages *pages)
{
	map_init(&pages->by_number);
}

void
pages_release(struct pages *pages)
{
	size_t cursor = 0;
	void *page;

	while (map_next(&pages->by_number, &cursor, NULL, &page)) {
		vec_release(&((struct page *)page)->sites);
		free(page);
	}
	map_release(&pages->by_number);
}

const struct page *
pages_at(const struct pages *pages, uint64_t number)
{
	return map_get(&pages->by_number, number);
}

/* The index of address in the page's list, or where it would be inserted. */
static size_t
place_in(const struct page *page, addr_t address)
{
	size_t low = 0, high = page->sites.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (page->sites.at[middle]->address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct site *
pages_find(const struct pages *pages, addr_t address)
{
	const struct page *page = pages_at(pages, address / ADDR_PAGE);
	size_t place;

	if (!page)
		return NULL;
	place = place_in(page, address);
	if (place == page->sites.count ||
	    page->sites.at[place]->address != address)
		return NULL;
	return page->sites.at[place];
}

void
pages_add(struct pages *pages, struct site *site)
{
	uint64_t number = site->address / ADDR_PAGE;
	struct page *page = map_get(&pages->by_number, number);
	size_t i;

	if (!page) {
		page = xcalloc(1, sizeof(*page));
		map_put(&pages->by_number, number, page);
	}
	vec_push(&page->sites, site);
	for (i = page->sites.count - 1;
	     i > 0 && page->sites.at[i - 1]->address > site->address; i--)
		page->sites.at[i] = page->sites.at[i - 1];
	page->sites.at[i] = site;
	assert(i == 0 || page->sites.at[i - 1]->address != site->address);
}

struct site *
pages_next(const struct pages *pages, struct pages_cursor *cursor)
{
	while (!cursor->page ||
	       cursor->next_site == cursor->page->sites.count) {
		void *page;

		if (!map_next(&pages->by_number, &cursor->next_page, NULL,
			      &page))
			return NULL;
		cursor->page = page;
		cursor->next_site = 0;
	}
	return cursor->page->sites.at[cursor->next_site++];
}

struct site *
pages_take(struct pages *pages, struct pages_cursor *cursor, addr_t start,
	   addr_t end)
{
	struct site *site;

	while ((site = pages_next(pages, cursor))) {
		if (site->address < start || site->address >= end)
			continue;
		vec_remove(&cursor->page->sites, --cursor->next_site);
		return site;
	}
	return NULL;
}
