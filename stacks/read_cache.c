/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cache keeps whole pages: memory is readable or not by pages, a page costs
 * about as much as eight bytes of it, and what an interpreter reads together is
 * often stored together. A page that no walk needed for a while is dropped, so
 * the cache reads about as much as is needed: if a program alternates between a
 * few stacks, all of them are kept. Of a kept page only the part is read that
 * some walk has needed, because copying unneeded bytes costs more than the
 * number of pages. If more of it is needed, the whole page is read.
 *
 *	begin: drop old pages, read the rest at once
 *	read:  kept? copy : read its page, keep it
 *
 * If a page cannot be read whole (a test's array, the last page of captured
 * memory), the read goes to the memory itself.
 */
#include "stacks/read_cache.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* After how many walks without use a page is dropped. */
#define IDLE_WALKS_MOST 8u
#define LINE ((size_t)64)

static size_t
cell_of(addr_t page)
{
	return (page / ADDR_PAGE * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
}

static uint8_t *
bytes_of(const struct read_cache *cache, size_t place)
{
	return cache->bytes + place * ADDR_PAGE;
}

static void
index_page(struct read_cache *cache, size_t place)
{
	size_t cell = cell_of(cache->pages[place].at);

	while (cache->cells[cell])
		cell = (cell + 1) % READ_CACHE_CELLS;
	cache->cells[cell] = (uint8_t)(place + 1);
}

static struct read_cache_page *
find_page(struct read_cache *cache, addr_t page)
{
	size_t cell = cell_of(page);

	for (; cache->cells[cell]; cell = (cell + 1) % READ_CACHE_CELLS) {
		struct read_cache_page *found =
			&cache->pages[cache->cells[cell] - 1];

		if (found->at == page)
			return found;
	}
	return NULL;
}

/* Reads a page and keeps it. Returns NULL if the page cannot be read whole, or
 * if there is no room. */
static struct read_cache_page *
add_page(struct read_cache *cache, addr_t page)
{
	size_t place = cache->count;
	int r;

	cache->missed++;
	if (place == READ_CACHE_PAGES)
		return NULL;
	r = reader_read(cache->memory, page, bytes_of(cache, place), ADDR_PAGE);
	if (r == -ESRCH)
		cache->error = r;
	if (r < 0)
		return NULL;
	cache->pages[place] = (struct read_cache_page){ .at = page,
							.low = ADDR_PAGE,
							.end = ADDR_PAGE };
	cache->count++;
	index_page(cache, place);
	return &cache->pages[place];
}

static size_t
place_of(const struct read_cache *cache, const struct read_cache_page *page)
{
	return (size_t)(page - cache->pages);
}

static bool
has(const struct read_cache_page *page, size_t from, size_t end)
{
	return page->first <= from && end <= page->end;
}

/* Reads the whole page, because more of it is needed than ever before. */
static int
complete(struct read_cache *cache, struct read_cache_page *page)
{
	int r = reader_read(cache->memory, page->at,
			    bytes_of(cache, place_of(cache, page)), ADDR_PAGE);

	cache->missed++;
	page->first = 0;
	page->end = r < 0 ? 0 : ADDR_PAGE;
	if (r == -ESRCH)
		cache->error = r;
	return r;
}

/* Notes that the walk needs these bytes of the page. The needed part consists
 * of whole cache lines, because they are copied as fast as parts of them. */
static void
want(struct read_cache *cache, struct read_cache_page *page, size_t from,
     size_t end)
{
	page->wanted = cache->walk;
	if (from < page->low)
		page->low = (uint16_t)(from & ~(LINE - 1));
	if (end > page->high)
		page->high = (uint16_t)((end + LINE - 1) & ~(LINE - 1));
}

/* Reads bytes that are all in one page, and keeps the page if there is room. */
static int
read_within(struct read_cache *cache, addr_t from, void *to, size_t length)
{
	addr_t page = addr_page(from);
	struct read_cache_page *found = find_page(cache, page);
	size_t at = from - page;

	if (!found)
		found = add_page(cache, page);
	if (found && !has(found, at, at + length) && complete(cache, found) < 0)
		found = NULL;
	if (cache->error)
		return cache->error;
	if (!found)
		return reader_read(cache->memory, from, to, length);
	want(cache, found, at, at + length);
	cache->last = place_of(cache, found);
	memcpy(to, bytes_of(cache, cache->last) + at, length);
	return 0;
}

/* Copies a word without a call of memcpy(), which takes longer than copying. */
static void
copy(void *to, const uint8_t *from, size_t length)
{
	if (length == sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	else
		memcpy(to, from, length);
}

/* Reads from the kept pages, inside one page; most often the last page
 * again. */
static bool
read_again(struct read_cache *cache, addr_t from, void *to, size_t length)
{
	struct read_cache_page *page = &cache->pages[cache->last];
	size_t at = from % ADDR_PAGE;

	if (cache->last >= cache->count || page->at != from - at)
		page = find_page(cache, from - at);
	if (!page || length > ADDR_PAGE || !has(page, at, at + length))
		return false;
	want(cache, page, at, at + length);
	cache->last = place_of(cache, page);
	copy(to, bytes_of(cache, cache->last) + at, length);
	return true;
}

static int
read_cache_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct read_cache *cache =
		container_of(reader, struct read_cache, reader);
	uint8_t *into = to;

	if (cache->direct)
		return reader_read(cache->memory, from, to, length);
	if (read_again(cache, from, to, length))
		return 0;
	if (from + length < from)
		return -EFAULT;
	while (length > 0) {
		size_t part = ADDR_PAGE - from % ADDR_PAGE;
		int r;

		if (part > length)
			part = length;
		r = read_within(cache, from, into, part);
		if (r < 0)
			return r;
		from += part;
		into += part;
		length -= part;
	}
	return 0;
}

/* The view is the part of the page that was needed. A caller that reads beyond
 * it asks again, and the part grows. After a read over two pages it may be a
 * view of the other page. */
static void
read_cache_last_view(struct reader *reader, struct view *ret_view)
{
	struct read_cache *cache =
		container_of(reader, struct read_cache, reader);
	const struct read_cache_page *page = &cache->pages[cache->last];

	if (cache->direct) {
		if (cache->memory->last_view)
			cache->memory->last_view(cache->memory, ret_view);
		return;
	}
	if (cache->last >= cache->count || page->low >= page->high ||
	    !has(page, page->low, page->high))
		return;
	*ret_view = (struct view){ page->at + page->low,
				   (size_t)page->high - page->low,
				   bytes_of(cache, cache->last) + page->low };
}

void
read_cache_init(struct read_cache *cache)
{
	*cache = (struct read_cache){
		.reader = { .read = read_cache_read,
			    .last_view = read_cache_last_view }
	};
}

void
read_cache_release(struct read_cache *cache)
{
	free(cache->bytes);
}

static void
forget(struct read_cache *cache)
{
	size_t kept = 0;

	for (size_t i = 0; i < cache->count; i++) {
		if (cache->walk - cache->pages[i].wanted <= IDLE_WALKS_MOST)
			cache->pages[kept++] = cache->pages[i];
	}
	/* If all pages are kept, there is no room for pages that only this walk
	 * needs: drops all of them. */
	if (kept == READ_CACHE_PAGES)
		kept = 0;
	cache->count = kept;
}

/* The part of the page with that index that is read when the walk begins. */
static struct span
part_of(struct read_cache *cache, size_t place)
{
	struct read_cache_page *page = &cache->pages[place];

	page->first = page->low;
	page->end = page->high;
	return (struct span){ page->at + page->first,
			      bytes_of(cache, place) + page->first,
			      page->end - page->first };
}

static void
read_remembered(struct read_cache *cache)
{
	struct span spans[READ_CACHE_PAGES];
	size_t count = cache->count, kept = 0;

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		spans[i] = part_of(cache, i);
	if (reader_spans(cache->memory, spans, count) == count)
		return;
	/* A page cannot be read, because it was unmapped. Reads each page alone
	 * in this walk, and drops the pages that cannot be read. */
	for (size_t i = 0; i < count; i++) {
		struct span span;

		cache->pages[kept] = cache->pages[i];
		span = part_of(cache, kept);
		if (reader_read(cache->memory, span.from, span.to,
				span.length) == 0)
			kept++;
	}
	cache->count = kept;
}

void
read_cache_begin(struct read_cache *cache, struct reader *memory)
{
	cache->memory = memory;
	cache->direct = memory->copied;
	cache->error = 0;
	cache->missed = 0;
	if (cache->direct)
		return;
	cache->walk++;
	if (!cache->bytes)
		cache->bytes = xmalloc(READ_CACHE_PAGES * ADDR_PAGE);
	forget(cache);
	read_remembered(cache);
	memset(cache->cells, 0, sizeof(cache->cells));
	for (size_t i = 0; i < cache->count; i++)
		index_page(cache, i);
}

/* The index of the page, which is kept from now on; READ_CACHE_PAGES if there
 * is no room. */
static size_t
keep_page(struct read_cache *cache, addr_t page)
{
	size_t i = 0;

	while (i < cache->count && cache->pages[i].at != page)
		i++;
	if (i < cache->count || i == READ_CACHE_PAGES)
		return i;
	cache->pages[i] =
		(struct read_cache_page){ .at = page, .low = ADDR_PAGE };
	cache->count++;
	return i;
}

void
read_cache_add(struct read_cache *cache, addr_t from, size_t length)
{
	addr_t end = from + length;

	while (from < end) {
		addr_t page = addr_page(from), next = page + ADDR_PAGE;
		size_t i = keep_page(cache, page);

		if (i == READ_CACHE_PAGES)
			return;
		want(cache, &cache->pages[i], from - page,
		     (end < next ? end : next) - page);
		from = next;
	}
}
