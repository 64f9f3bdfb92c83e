/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A handle is written after the address of its cell, so a running thread finds
 * both or none.
 *
 * If all cells are taken, a new handle gets none. xtrace does not take a cell
 * from another handle for it, because a thread may be in a call that has the
 * address of that cell.
 */
#include "agent/cells.h"

#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>

static struct meter_handle *
find(const struct area *area, uint64_t handle, uint64_t wanted)
{
	struct meter_handle *bucket =
		(struct meter_handle *)
			area->handles[meter_bucket(handle, METER_HANDLE_BITS)];

	for (unsigned i = 0; i < METER_WAYS; i++)
		if (bucket[i].handle == wanted)
			return &bucket[i];
	return NULL;
}

addr_t
cells_find(const struct area *area, uint64_t handle)
{
	const struct meter_handle *at =
		handle && area->cells ? find(area, handle, handle) : NULL;

	return at ? at->cell : 0;
}

static int
write_word(const struct area *area, struct space *space, const uint64_t *word)
{
	size_t offset =
		(size_t)((const char *)word - (const char *)area->handles);

	return space_write(space,
			   area->at + offsetof(struct meter_queries, handles) +
				   offset,
			   word, sizeof(*word));
}

static addr_t
cell_at(const struct area *area, unsigned cell)
{
	return area->cells + cell * sizeof(struct meter_cell);
}

int
cells_add(struct area *area, struct space *space, uint64_t handle)
{
	struct meter_handle *at;
	unsigned cell = 0;
	int r;

	if (!handle || cells_find(area, handle))
		return 0;
	while (cell < METER_CELLS && area->cells_taken[cell])
		cell++;
	at = find(area, handle, 0);
	if (!at || cell == METER_CELLS)
		return -ENOSPC;
	cells_empty(space, cell_at(area, cell));
	at->cell = cell_at(area, cell);
	r = write_word(area, space, &at->cell);
	at->handle = handle;
	if (r == 0)
		r = write_word(area, space, &at->handle);
	if (r < 0)
		at->handle = 0;
	else
		area->cells_taken[cell] = true;
	return r;
}

void
cells_drop(struct area *area, struct space *space, uint64_t handle)
{
	struct meter_handle *at = find(area, handle, handle);

	if (!handle || !at)
		return;
	at->handle = 0;
	if (write_word(area, space, &at->handle) < 0)
		debug("a handle stays");
	else
		area->cells_taken[(at->cell - area->cells) /
				  sizeof(struct meter_cell)] = false;
}

bool
cells_has(const struct area *area, addr_t cell)
{
	addr_t offset = cell - area->cells;

	return area->cells && offset % sizeof(struct meter_cell) == 0 &&
	       offset / sizeof(struct meter_cell) < METER_CELLS;
}

int
cells_read(struct space *space, addr_t cell, struct meter_cell *ret_cell)
{
	return space_read_raw(space, cell, ret_cell,
			      offsetof(struct meter_cell, unused_end));
}

static void
set_state(struct space *space, addr_t cell, uint64_t state)
{
	if (space_write(space, cell, &state, sizeof(state)) < 0)
		debug("the cell at %#" PRIxADDR " stays", cell);
}

void
cells_empty(struct space *space, addr_t cell)
{
	set_state(space, cell, METER_CELL_IDLE);
}

void
cells_set_followed(struct space *space, addr_t cell)
{
	set_state(space, cell, METER_CELL_FOLLOWED);
}

int
cells_follow(const struct area *area, struct space *space, bool follow)
{
	const uint64_t followed = follow;

	return space_write(space,
			   area->at + offsetof(struct meter_queries, followed),
			   &followed, sizeof(followed));
}
