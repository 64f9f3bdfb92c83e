/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whole pages, because memory can be read or not by pages, a page costs about
 * what eight bytes of it do, and what an interpreter looks at together often
 * lies together. A page that no walk wanted for a while is forgotten, so what
 * is read at one go stays about what is needed: a program that goes round
 * through a few different stacks has them all remembered.
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

static size_t
cell_of(addr_t page)
{
	return (page / RECALL_PAGE * UINT64_C(0x9e3779b97f4a7c15)) >> 56;
}

static uint8_t *
bytes_of(const struct recall *recall, size_t place)
{
	return recall->bytes + place * RECALL_PAGE;
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
			RECALL_PAGE);
	if (r == -ESRCH)
		recall->error = r;
	if (r < 0)
		return NULL;
	recall->pages[place].at = page;
	recall->count++;
	index_page(recall, place);
	return &recall->pages[place];
}

/* The part of a read that lies within one page. */
static int
read_within(struct recall *recall, addr_t from, void *to, size_t length)
{
	addr_t page = from & ~(RECALL_PAGE - 1);
	struct recall_page *found = find_page(recall, page);

	if (!found)
		found = add_page(recall, page);
	if (recall->error)
		return recall->error;
	if (!found)
		return reader_read(recall->memory, from, to, length);
	found->wanted = recall->walk;
	memcpy(to,
	       bytes_of(recall, (size_t)(found - recall->pages)) +
		       (from - page),
	       length);
	return 0;
}

static int
recall_read(struct reader *reader, addr_t from, void *to, size_t length)
{
	struct recall *recall = container_of(reader, struct recall, reader);
	uint8_t *into = to;

	if (from + length < from)
		return -EFAULT;
	while (length > 0) {
		size_t part = RECALL_PAGE - from % RECALL_PAGE;
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

void
recall_init(struct recall *recall)
{
	*recall = (struct recall){ .reader.read = recall_read };
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

static void
read_remembered(struct recall *recall)
{
	struct span spans[RECALL_PAGES];
	size_t count = recall->count, kept = 0;

	if (count == 0)
		return;
	for (size_t i = 0; i < count; i++)
		spans[i] = (struct span){ recall->pages[i].at,
					  bytes_of(recall, i), RECALL_PAGE };
	if (reader_spans(recall->memory, spans, count) == count)
		return;
	/* Something was unmapped: one by one, this once. */
	for (size_t i = 0; i < count; i++) {
		if (reader_read(recall->memory, recall->pages[i].at,
				bytes_of(recall, kept), RECALL_PAGE) == 0)
			recall->pages[kept++] = recall->pages[i];
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
		recall->bytes = xmalloc(RECALL_PAGES * RECALL_PAGE);
	forget(recall);
	read_remembered(recall);
	memset(recall->cells, 0, sizeof(recall->cells));
	for (size_t i = 0; i < recall->count; i++)
		index_page(recall, i);
}
