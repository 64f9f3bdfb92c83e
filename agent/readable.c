/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of readable pages. A cell is one word, so a running thread finds
 * the old page or the new one. If both cells of a bucket are taken, the older
 * page gives way to the new one. A call with a text in the removed page then
 * stops in its meter, until the page is added again.
 */
#include "agent/readable.h"

#include "base/log.h"

#include <stddef.h>
#include <string.h>

static uint64_t
last_byte(addr_t address)
{
	return address | (ADDR_PAGE - 1);
}

/* Reads through the function for several spans, because it respects the
 * protection of pages; /proc/PID/mem does not. */
static bool
is_readable(struct space *space, addr_t address)
{
	struct reader *reader = &space->reader;
	uint8_t byte;
	const struct span span = { address, &byte, sizeof(byte) };

	return reader->read_spans(reader, &span, 1) == 1;
}

static void
write_bucket(const struct area *area, struct space *space, unsigned bucket)
{
	addr_t at = area->at + offsetof(struct meter_selects, pages) +
		    bucket * sizeof(area->pages[0]);

	if (space_write(space, at, area->pages[bucket],
			sizeof(area->pages[0])) < 0)
		debug("the pages of a bucket stay");
}

void
readable_add(struct area *area, struct space *space, addr_t address)
{
	uint64_t page = last_byte(address);
	unsigned bucket = meter_bucket(page, METER_PAGE_BITS);
	uint64_t *cells = area->pages[bucket];

	for (unsigned i = 0; i < METER_WAYS; i++)
		if (cells[i] == page)
			return;
	if (!is_readable(space, address))
		return;
	memmove(cells + 1, cells, (METER_WAYS - 1) * sizeof(cells[0]));
	cells[0] = page;
	write_bucket(area, space, bucket);
}

void
readable_check(struct area *area, struct space *space)
{
	for (unsigned b = 0; b < 1u << METER_PAGE_BITS; b++) {
		bool changed = false;

		for (unsigned i = 0; i < METER_WAYS; i++) {
			uint64_t *cell = &area->pages[b][i];

			if (!*cell || is_readable(space, *cell))
				continue;
			*cell = 0;
			changed = true;
		}
		if (changed)
			write_bucket(area, space, b);
	}
}

void
readable_clear(struct area *area, struct space *space)
{
	static const uint8_t nothing[sizeof(area->pages)];

	if (!memcmp(area->pages, nothing, sizeof(nothing)))
		return;
	memset(area->pages, 0, sizeof(area->pages));
	if (space_write(space, area->at + offsetof(struct meter_selects, pages),
			nothing, sizeof(nothing)) < 0)
		debug("the pages stay");
}
