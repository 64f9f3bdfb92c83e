/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 *	free --> taken <--> followed
 *	 ^        | ^
 *	 |        v | a call of the handle stops
 *	 +----- retired
 *	 |
 *	 +----- dropped
 *
 * A handle is written after the address of its cell, so a running thread finds
 * both or none. A cell contains its handle, too. If that is 0, every call with
 * the cell stops.
 *
 * A thread may be in a call that has the address of a cell when the handle
 * loses this cell. So another handle gets the cell only if no thread's last
 * open call has its address. An entry meter writes the address into the open
 * call before it reads the cell's handle; xtrace sets the handle to 0 at least
 * IN_USE_NS before it reads the open calls. So the meter finds that the handle
 * has changed, and stops, or xtrace finds the address. IN_USE_NS is much longer
 * than a store needs to be visible to all CPUs.
 *
 * A handle whose cell is retired stays in the table, so that its next call
 * stops and gets the cell back. If the handle were removed at once, calls that
 * are parts of a query which is just beginning would pass.
 */
#include "agent/cells.h"

#include "base/log.h"

#include <errno.h>
#include <inttypes.h>
#include <stddef.h>

#define IN_USE_NS UINT64_C(1000000)
#define UNUSED_NS UINT64_C(1000000000)
#define FEW (METER_CELLS / 4u)

/* ---- the table of handles -------------------------------------------------*/

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

static int
remove_handle(struct area *area, struct space *space, uint64_t handle)
{
	struct meter_handle *at = find(area, handle, handle);

	if (!at)
		return 0;
	at->handle = 0;
	return write_word(area, space, &at->handle);
}

/* ---- cells ----------------------------------------------------------------*/

static addr_t
cell_at(const struct area *area, unsigned cell)
{
	return area->cells + cell * sizeof(struct meter_cell);
}

static unsigned
number_of(const struct area *area, addr_t cell)
{
	return (unsigned)((cell - area->cells) / sizeof(struct meter_cell));
}

static int
set_word(struct space *space, addr_t cell, size_t offset, uint64_t word)
{
	int r = space_write(space, cell + offset, &word, sizeof(word));

	if (r < 0)
		debug("the cell at %#" PRIxADDR " stays", cell);
	return r;
}

static int
set_handle(struct space *space, addr_t cell, uint64_t handle)
{
	return set_word(space, cell, offsetof(struct meter_cell, handle),
			handle);
}

void
cells_empty(struct space *space, addr_t cell)
{
	set_word(space, cell, offsetof(struct meter_cell, state),
		 METER_CELL_IDLE);
}

int
cells_read(struct space *space, addr_t cell, struct meter_cell *ret_cell)
{
	return space_read_raw(space, cell, ret_cell,
			      offsetof(struct meter_cell, unused_end));
}

/* ---- free cells -----------------------------------------------------------*/

static unsigned
count_free(const struct area *area)
{
	unsigned count = 0;

	for (unsigned i = 0; i < METER_CELLS; i++)
		count += area->cell[i].use == AREA_CELL_FREE;
	return count;
}

/* Reads words, together if that is possible. */
static int
read_words(struct space *space, const struct span *spans, size_t count)
{
	size_t done = reader_spans(&space->reader, spans, count);
	int r = 0;

	for (; done < count && r == 0; done++)
		r = space_read_raw(space, spans[done].from, spans[done].to,
				   spans[done].length);
	return r;
}

/* Finds the cells whose addresses are in the open calls of threads. */
static int
find_used(const struct area *area, struct space *space, bool used[METER_CELLS])
{
	const size_t inner = offsetof(struct meter_block, open[1]) +
			     offsetof(struct meter_open, inner);
	struct span spans[AREA_BLOCKS];
	addr_t cells[AREA_BLOCKS];
	size_t count = 0;
	int r;

	for (unsigned i = 0; i < AREA_BLOCKS; i++) {
		if (!area->taken[i])
			continue;
		spans[count] =
			(struct span){ area_block_address(area, i) + inner,
				       &cells[count], sizeof(cells[0]) };
		count++;
	}
	r = read_words(space, spans, count);
	for (size_t i = 0; i < count && r == 0; i++)
		if (area_has_cell(area, cells[i]))
			used[number_of(area, cells[i])] = true;
	return r;
}

/* Reads the state of a cell's query, and when the query began. */
static int
read_query(struct space *space, addr_t cell, uint64_t *ret_state,
	   uint64_t *ret_began)
{
	struct meter_cell head;
	int r = space_read_raw(space, cell, &head,
			       offsetof(struct meter_cell, function));

	if (r < 0)
		return r;
	*ret_state = head.state;
	*ret_began = head.began;
	return 0;
}

static void
free_cells(struct area *area, struct space *space, uint64_t now,
	   const bool used[METER_CELLS])
{
	for (unsigned i = 0; i < METER_CELLS; i++) {
		struct area_cell *cell = &area->cell[i];
		uint64_t state, began;

		if ((cell->use != AREA_CELL_RETIRED &&
		     cell->use != AREA_CELL_DROPPED) ||
		    used[i] || now - cell->since < IN_USE_NS)
			continue;
		if (cell->use == AREA_CELL_RETIRED &&
		    (read_query(space, cell_at(area, i), &state, &began) < 0 ||
		     state != METER_CELL_IDLE ||
		     remove_handle(area, space, cell->handle) < 0))
			continue;
		*cell = (struct area_cell){ .use = AREA_CELL_FREE };
	}
}

/* Retires the cells of handles that have had no query since the last time. */
static void
retire_cells(struct area *area, struct space *space, uint64_t now,
	     const bool used[METER_CELLS])
{
	for (unsigned i = 0; i < METER_CELLS; i++) {
		struct area_cell *cell = &area->cell[i];
		uint64_t state, began;
		bool unused;

		if (cell->use != AREA_CELL_TAKEN || used[i] ||
		    read_query(space, cell_at(area, i), &state, &began) < 0)
			continue;
		unused = cell->seen && cell->began == began &&
			 state == METER_CELL_IDLE;
		cell->seen = true;
		cell->began = began;
		if (!unused || set_handle(space, cell_at(area, i), 0) < 0)
			continue;
		cell->use = AREA_CELL_RETIRED;
		cell->since = now;
	}
}

static void
make_room(struct area *area, struct space *space, uint64_t now)
{
	bool used[METER_CELLS] = { false };

	if (now - area->cells_swept < IN_USE_NS ||
	    find_used(area, space, used) < 0)
		return;
	area->cells_swept = now;
	free_cells(area, space, now, used);
	if (now - area->cells_retired < UNUSED_NS)
		return;
	area->cells_retired = now;
	retire_cells(area, space, now, used);
}

/* ---- handles --------------------------------------------------------------*/

static int
give_cell(struct area *area, struct space *space, unsigned cell,
	  uint64_t handle)
{
	int r = set_handle(space, cell_at(area, cell), handle);

	if (r == 0)
		area->cell[cell] = (struct area_cell){ .use = AREA_CELL_TAKEN,
						       .handle = handle };
	return r;
}

int
cells_add(struct area *area, struct space *space, uint64_t handle, uint64_t now)
{
	addr_t has = cells_find(area, handle);
	struct meter_handle *at;
	unsigned cell = 0;
	int r;

	if (has && area->cell[number_of(area, has)].use == AREA_CELL_RETIRED)
		return give_cell(area, space, number_of(area, has), handle);
	if (!handle || has)
		return 0;
	if (count_free(area) < FEW || !find(area, handle, 0))
		make_room(area, space, now);
	while (cell < METER_CELLS && area->cell[cell].use != AREA_CELL_FREE)
		cell++;
	at = find(area, handle, 0);
	if (!at || cell == METER_CELLS)
		return -ENOSPC;
	cells_empty(space, cell_at(area, cell));
	at->cell = cell_at(area, cell);
	r = write_word(area, space, &at->cell);
	if (r == 0)
		r = give_cell(area, space, cell, handle);
	at->handle = handle;
	if (r == 0)
		r = write_word(area, space, &at->handle);
	if (r < 0)
		at->handle = 0;
	return r;
}

void
cells_drop(struct area *area, struct space *space, uint64_t handle,
	   uint64_t now)
{
	addr_t cell = cells_find(area, handle);

	if (!cell || set_handle(space, cell, 0) < 0 ||
	    remove_handle(area, space, handle) < 0)
		return;
	area->cell[number_of(area, cell)] =
		(struct area_cell){ .use = AREA_CELL_DROPPED, .since = now };
}

void
cells_follow_handle(struct area *area, struct space *space, uint64_t handle)
{
	addr_t cell = cells_find(area, handle);

	if (cell && set_handle(space, cell, 0) == 0)
		area->cell[number_of(area, cell)].use = AREA_CELL_FOLLOWED;
}

void
cells_leave_handle(struct area *area, struct space *space, uint64_t handle)
{
	addr_t cell = cells_find(area, handle);

	if (!cell)
		return;
	cells_empty(space, cell);
	if (area->cell[number_of(area, cell)].use != AREA_CELL_TAKEN)
		give_cell(area, space, number_of(area, cell), handle);
}

bool
cells_is_followed(const struct area *area, addr_t cell)
{
	return area->cell[number_of(area, cell)].use == AREA_CELL_FOLLOWED;
}

int
cells_follow(const struct area *area, struct space *space, bool follow)
{
	const uint64_t followed = follow;

	return space_write(space,
			   area->at + offsetof(struct meter_queries, followed),
			   &followed, sizeof(followed));
}
