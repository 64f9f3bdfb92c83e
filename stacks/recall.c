/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole pages, because memory can be read or not by pages, a page costs about
 * what eight bytes of it do, and what an interpreter looks at together often
 * lies together. A page that no walk wanted for a while is forgotten, so what
 * is read at one go stays about what is needed: a program that goes round
 * through a few different stacks has them all remembered. Of a remembered page
 * only the part is read that was ever wanted, since bytes that are copied for
 * nothing cost more than the pages; when more of it is, it is read whole.
 *
 *	begin: forget, read the rest at one go
 *	read:  remembered? copy : read its page, remember it
 *
 * A page that cannot be read whole (a test's array, the last page of what was
 * captured) is left to the memory itself.
 */
#include "stacks/recall.h"

#include "base/xmalloc.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* How many walks a page stays remembered without being wanted. */
#define PATIENCE 8u
#define LINE ((size_t)64)

static size_t
cell_of(addr_t page)
{
	return (page / ADDR_PAGE * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
}

static uint8_t *
bytes_of(const struct recall *recall, size_t place)
{
	return recall->bytes + place * ADDR_PAGE;
}

static void
index_page(struct recall *recall, size_t place)
{
	size_t cell = cell_of(recall->pages[place].at);

	while (recall->cells[cell])
		cell = (cell + 1) % RECALL_CELLS;
	recall->cells[cell] = (uint8_t)(place + 1);
}

static struct recall_page *
find_page(struct recall *recall, addr_t page)
{
	size_t cell = cell_of(page);

	for (; recall->cells[cell]; cell = (cell + 1) % RECALL_CELLS) {
		struct recall_page *found =
			&recall->pages[recall->cells[cell] - 1];

		if (found->at == page)
			return found;
	}
	return NULL;
}

/* NULL where it cannot be read whole, or there is no room. */
static struct recall_page *
add_page(struct recall *recall, addr_t page)
{
	size_t place = recall->count;
	int r;

	if (place == RECALL_PAGES)
		return NULL;
	r = reader_read(recall->memory, page, bytes_of(recall, place),
			ADDR_PAGE);
	if (r == -ESRCH)
		recall->error = r;
	if (r < 0)
		return NULL;
	recall->pages[place] = (struct recall_page){ .at = page,
						     .low = ADDR_PAGE,
						     .end = ADDR_PAGE };
	recall->count++;
	index_page(recall, place);
	return &recall->pages[place];
}

static size_t
place_of(const struct recall *recall, const struct recall_page *page)
{
	return (size_t)(page - recall->pages);
}

static bool
has(const struct recall_page *page, size_t from, size_t end)
{
	return page->first <= from && end <= page->end;
}

/* More of it is wanted than ever. */
static int
complete(struct recall *recall, struct recall_page *page)
{
	int r = reader_read(recall->memory, page->at,
			    bytes_of(recall, place_of(recall, page)),
			    ADDR_PAGE);

	page->first = 0;
	page->end = r < 0 ? 0 : ADDR_PAGE;
	if (r == -ESRCH)
		recall->error = r;
	return r;
}

/* Whole lines of the cache are copied as fast as parts of them. */
static void
want(struct recall *recall, struct recall_page *page, size_t from, size_t end)
{
	page->wanted = recall->walk;
	if (from < page->low)
		page->low = (uint16_t)(from & ~(LINE - 1));
	if (end > page->high)
		page->high = (uint16_t)((end + LINE - 1) & ~(LINE - 1));
}

/* The part of a read that lies within one page. */
static int
read_within(struct recall *recall, addr_t from, void *to, size_t length)
{
	addr_t page = addr_page(from);
	struct recall_page *found = find_page(recall, page);
	size_t at = from - page;

	if (!found)
		found = add_page(recall, page);
	if (found && !has(found, at, at + length) &&
	    complete(recall, found) < 0)
		found = NULL;
	if (recall->error)
		return recall->error;
	if (!found)
		return reader_read(recall->memory, from, to, length);
	want(recall, found, at, at + length);
	recall->last = place_of(recall, found);
	memcpy(to, bytes_of(recall, recall->last) + at, length);
	return 0;
}

/* A call of memcpy() takes longer than a word does. */
static void
copy(void *to, const uint8_t *from, size_t length)
{
	if (length == sizeof(uint64_t))
		memcpy(to, from, sizeof(uint64_t));
	else
		memcpy(to, from, length);
}

/* What is remembered, within one page; most often the page before once more. */
static bool
read_again(struct recall *recall, addr_t from, void *to, size_t length)
{
	struct recall_page *page = &recall->pages[recall->last];
	size_t at = from % ADDR_PAGE;

	if (recall->last >= recall->count || page->at != from - at)
		page = find_page(recall, from - at);
	if (!page || length > ADDR_PAGE || !has(page, at, at + length))
		return false;
	want(recall, page, at, at + length);
	recall->last = place_of(recall, page);
	copy(to, bytes_of(recall, recall->last) + at, length);
	return true;
}

static int
recall_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct recall *recall = container_of(reader, struct recall, reader);
	uint8_t *into = to;

	if (read_again(recall, from, to, length))
		return 0;
	if (from + length < from)
		return -EFAULT;
	while (length > 0) {
		size_t part = ADDR_PAGE - from % ADDR_PAGE;
		int r;

		if (part > length)
			part = length;
		r = read_within(recall, from, into, part);
		if (r < 0)
			return r;
		from += part;
		into += part;
		length -= part;
	}
	return 0;
}

/* No more of the page than is wanted: whoever looks beyond that asks again,
 * and it is. A read over two pages may have left the other one's. */
static void
recall_last_view(struct reader *reader, struct view *ret_view)
{
	struct recall *recall = container_of(reader, struct recall, reader);
	const struct recall_page *page = &recall->pages[recall->last];

	if (recall->last >= recall->count || page->low >= page->high ||
	    !has(page, page->low, page->high))
		return;
	*ret_view = (struct view){ page->at + page->low,
				   (size_t)page->high - page->low,
				   bytes_of(recall, recall->last) + page->low };
}

void
recall_init(struct recall *recall)
{
	*recall =
		(struct recall){ .reader = { .read = recall_read,
					     .last_view = recall_last_view } };
}

void
recall_release(struct recall *recall)
{
	free(recall->bytes);
}

static void
forget(struct recall *recall)
{
	size_t kept = 0;

	for (size_t i = 0; i < recall->count; i++) {
		if (recall->walk - recall->pages[i].wanted <= PATIENCE)
			recall->pages[kept++] = recall->pages[i];
	}
	/* No room would be left for what this walk may want. */
	if (kept == RECALL_PAGES)
		kept = 0;
	recall->count = kept;
}

/* What is read afresh of the page at that place. */
static struct span
part_of(struct recall *recall, size_t place)
{
	struct recall_page *page = &recall->pages[place];

	page->first = page->low;
	page->end = page->high;
	return (struct span){ page->at + page->first,
			      bytes_of(recall, place) + page->first,
			      page->end - page->first };
}

static void
read_remembered(struct recall *recall)
{
	struct span spans[RECALL_PAGES];
	size_t count = recall->count, kept = 0;

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		spans[i] = part_of(recall, i);
	if (reader_spans(recall->memory, spans, count) == count)
		return;
	/* Something was unmapped: one by one, this once. */
	for (size_t i = 0; i < count; i++) {
		struct span span;

		recall->pages[kept] = recall->pages[i];
		span = part_of(recall, kept);
		if (reader_read(recall->memory, span.from, span.to,
				span.length) == 0)
			kept++;
	}
	recall->count = kept;
}

void
recall_begin(struct recall *recall, struct reader *memory)
{
	recall->memory = memory;
	recall->error = 0;
	recall->walk++;
	if (!recall->bytes)
		recall->bytes = xmalloc(RECALL_PAGES * ADDR_PAGE);
	forget(recall);
	read_remembered(recall);
	memset(recall->cells, 0, sizeof(recall->cells));
	for (size_t i = 0; i < recall->count; i++)
		index_page(recall, i);
}
