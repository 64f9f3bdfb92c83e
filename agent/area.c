/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table's entry is written so that a running thread never finds a half of it:
 * first a key of 0, then the value, then the key. Only a thread that is stopped
 * now will look for that key.
 *
 * The last words of the area tell a later xtrace that the memory is of an
 * xtrace (breakpoints/outlive/survive_adopt.c).
 */
#include "agent/area.h"

#include "base/log.h"
#include "breakpoints/outlive/area.h"
#include "breakpoints/outlive/survive.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

/* ---- memory ---------------------------------------------------------------*/

uint64_t
area_block_size(enum area_kind kind)
{
	static const uint64_t sizes[] = {
		[AREA_SUMS] = offsetof(struct meter_block, sums[METER_SUMS]),
		[AREA_WHOLES] = sizeof(struct meter_block),
		[AREA_KEPT] =
			offsetof(struct meter_block, texts[METER_DEPTH + 1]),
		[AREA_QUERIES] = offsetof(struct meter_block, texts),
	};

	return sizes[kind];
}

unsigned
area_functions(enum area_kind kind)
{
	return kind == AREA_WHOLES ? METER_WHOLES : METER_SUMS;
}

/* Are arguments kept in the blocks? Then the blocks have no sums. */
static bool
keeps(const struct area *area)
{
	return area->kind == AREA_KEPT || area->kind == AREA_QUERIES;
}

static uint64_t
first_sum(const struct area *area)
{
	if (area->kind == AREA_QUERIES)
		return offsetof(struct meter_queries, functions);
	return area->kind == AREA_KEPT
		       ? offsetof(struct meter_selects, functions)
		       : offsetof(struct meter_block, sums);
}

static uint64_t
sum_size(const struct area *area)
{
	static const uint64_t sizes[] = {
		[AREA_SUMS] = sizeof(struct meter_sum),
		[AREA_WHOLES] = sizeof(struct meter_whole),
		[AREA_KEPT] = sizeof(struct meter_select),
		[AREA_QUERIES] = sizeof(struct meter_query),
	};

	return sizes[area->kind];
}

uint64_t
area_sums_offset(const struct area *area, unsigned function)
{
	return first_sum(area) + function * sum_size(area);
}

unsigned
area_function(const struct area *area, uint64_t offset)
{
	return (unsigned)((offset - first_sum(area)) / sum_size(area));
}

/* The number of the first block of a group, which is also the number of all
 * blocks in the groups before it. */
static unsigned
first_of(unsigned group)
{
	return AREA_FIRST_GROUP * ((1u << group) - 1);
}

static addr_t
block_at(const struct area *area, unsigned block)
{
	unsigned group = 0;

	while (block >= first_of(group + 1))
		group++;
	return area->groups[group] +
	       (block - first_of(group)) * area_block_size(area->kind);
}

addr_t
area_block_address(const struct area *area, unsigned block)
{
	return block_at(area, block);
}

bool
area_has_cell(const struct area *area, addr_t cell)
{
	addr_t offset = cell - area->cells;

	return area->cells && offset % sizeof(struct meter_cell) == 0 &&
	       offset / sizeof(struct meter_cell) < METER_CELLS;
}

static int
map_marked(struct sites *sites, struct thread *thread, uint64_t size,
	   addr_t *ret_at)
{
	struct area_mark mark = { .magic = AREA_MARK_MAGIC };
	addr_t at;
	int r;

	size = addr_whole_pages(size + sizeof(mark));
	r = slots_map_data(&sites->slots, sites->table, thread,
			   sites->survive.code, size, &at);
	if (r == 0)
		r = survive_regions(&sites->survive, &sites->slots,
				    sites->space);
	if (r < 0)
		return r;
	mark.start = at;
	r = space_write(sites->space, at + size - sizeof(mark), &mark,
			sizeof(mark));
	if (r == 0)
		*ret_at = at;
	return r;
}

bool
area_may_grow(const struct area *area)
{
	if (area->group_count == AREA_GROUPS)
		return false;
	for (unsigned i = 0; i < first_of(area->group_count); i++)
		if (!area->taken[i])
			return false;
	return true;
}

int
area_grow(struct area *area, struct sites *sites, struct thread *thread)
{
	unsigned group = area->group_count;
	uint64_t size =
		area_block_size(area->kind) * (AREA_FIRST_GROUP << group);
	int r = map_marked(sites, thread, size, &area->groups[group]);

	if (r == 0)
		area->group_count++;
	return r;
}

int
area_begin(struct area *area, struct sites *sites, struct thread *thread,
	   enum area_kind kind)
{
	static const uint64_t sizes[] = {
		[AREA_SUMS] = sizeof(struct meter_tables),
		[AREA_WHOLES] = sizeof(struct meter_tables),
		[AREA_KEPT] = sizeof(struct meter_selects),
		[AREA_QUERIES] = sizeof(struct meter_queries),
	};
	addr_t at;
	int r;

	area->kind = kind;
	r = map_marked(sites, thread, sizes[kind], &at);
	if (r == 0 && kind == AREA_QUERIES)
		r = map_marked(sites, thread,
			       METER_CELLS * sizeof(struct meter_cell),
			       &area->cells);
	if (r == 0)
		r = area_grow(area, sites, thread);
	if (r == 0)
		area->at = at;
	return r;
}

/* ---- the tables -----------------------------------------------------------*/

static uint64_t *
find_return(struct area *area, addr_t address)
{
	uint64_t *bucket =
		area->tables.returns[meter_bucket(address, METER_RETURN_BITS)];

	for (unsigned i = 0; i < METER_WAYS; i++)
		if (bucket[i] == address)
			return &bucket[i];
	return NULL;
}

static int
write_table(const struct area *area, struct space *space, const void *member,
	    size_t size)
{
	size_t offset =
		(size_t)((const char *)member - (const char *)&area->tables);

	return space_write(space, area->at + offset, member, size);
}

int
area_add_return(struct area *area, struct space *space, addr_t address)
{
	uint64_t *bucket =
		area->tables.returns[meter_bucket(address, METER_RETURN_BITS)];

	if (find_return(area, address))
		return 0;
	for (unsigned i = 0; i < METER_WAYS; i++) {
		int r;

		if (bucket[i])
			continue;
		bucket[i] = address;
		r = write_table(area, space, &bucket[i], sizeof(bucket[i]));
		if (r < 0)
			bucket[i] = 0;
		return r;
	}
	return -ENOSPC;
}

void
area_drop_return(struct area *area, struct space *space, addr_t address)
{
	uint64_t *at = find_return(area, address);

	if (!at)
		return;
	*at = 0;
	if (write_table(area, space, at, sizeof(*at)) < 0)
		debug("%#" PRIxADDR " stays in the table", address);
}

void
area_each_return(const struct area *area,
		 void (*act)(void *context, addr_t address), void *context)
{
	for (unsigned b = 0; b < 1u << METER_RETURN_BITS; b++)
		for (unsigned i = 0; i < METER_WAYS; i++)
			if (area->tables.returns[b][i])
				act(context, area->tables.returns[b][i]);
}

int
area_set_select(const struct area *area, struct space *space, unsigned function,
		const struct meter_select *select)
{
	return space_write(space, area->at + area_sums_offset(area, function),
			   select, sizeof(*select));
}

int
area_set_query(const struct area *area, struct space *space, unsigned function,
	       const struct meter_query *query)
{
	return space_write(space, area->at + area_sums_offset(area, function),
			   query, sizeof(*query));
}

static struct meter_thread *
find_thread(struct area *area, addr_t pointer, addr_t wanted)
{
	struct meter_thread *bucket =
		area->tables.threads[meter_bucket(pointer, METER_THREAD_BITS)];

	for (unsigned i = 0; i < METER_WAYS; i++)
		if (bucket[i].pointer == wanted)
			return &bucket[i];
	return NULL;
}

static int
write_thread(const struct area *area, struct space *space,
	     struct meter_thread *at, struct meter_thread to)
{
	int r;

	at->pointer = 0;
	r = write_table(area, space, &at->pointer, sizeof(at->pointer));
	at->block = to.block;
	if (r == 0)
		r = write_table(area, space, &at->block, sizeof(at->block));
	at->pointer = to.pointer;
	if (r == 0 && to.pointer)
		r = write_table(area, space, &at->pointer, sizeof(at->pointer));
	if (r < 0)
		at->pointer = 0;
	return r;
}

/* Sets the sums of a block to 0 for its next thread; a thread that has ended
 * had the block before. Pages that are zero are not written, because most of
 * them were never used. */
static int
empty_sums(const struct area *area, struct space *space, unsigned block)
{
	static const uint8_t nothing[ADDR_PAGE];
	uint64_t end = area_block_size(area->kind), size;
	int r = 0;

	for (uint64_t at = offsetof(struct meter_block, sums);
	     at < end && r == 0; at += size) {
		uint8_t there[ADDR_PAGE];
		addr_t from = block_at(area, block) + at;

		size = end - at < ADDR_PAGE ? end - at : ADDR_PAGE;
		r = space_read_raw(space, from, there, size);
		if (r == 0 && memcmp(there, nothing, size) != 0)
			r = space_write(space, from, nothing, size);
	}
	return r;
}

int
area_add_thread(struct area *area, struct space *space, addr_t pointer)
{
	static const uint64_t none = 0;
	struct meter_thread *free_at = find_thread(area, pointer, 0);
	unsigned block = 0;
	int r;

	if (pointer && find_thread(area, pointer, pointer))
		return -EEXIST;
	while (block < first_of(area->group_count) && area->taken[block])
		block++;
	if (!pointer || !free_at || block == first_of(area->group_count))
		return -ENOSPC;
	r = block < area->fresh && !keeps(area) ? empty_sums(area, space, block)
						: 0;
	if (r == 0)
		r = area_open(area, space, block, UINT64_MAX, 0);
	if (r == 0)
		r = space_write(space,
				block_at(area, block) +
					offsetof(struct meter_block, passed),
				&none, sizeof(none));
	if (r == 0)
		r = write_thread(area, space, free_at,
				 (struct meter_thread){
					 pointer, block_at(area, block) });
	if (r < 0)
		return r;
	area->taken[block] = true;
	if (area->fresh <= block)
		area->fresh = block + 1;
	return (int)block;
}

void
area_drop_thread(struct area *area, struct space *space, addr_t pointer,
		 unsigned block)
{
	struct meter_thread *at = find_thread(area, pointer, pointer);

	area->taken[block] = false;
	if (at && write_thread(area, space, at, (struct meter_thread){ 0 }) < 0)
		debug("a block stays");
}

/* ---- blocks ---------------------------------------------------------------*/

static addr_t
open_at(const struct area *area, unsigned block, unsigned depth)
{
	return block_at(area, block) + offsetof(struct meter_block, open) +
	       depth * sizeof(struct meter_open);
}

int
area_open_within(const struct area *area, struct space *space, unsigned block,
		 addr_t low, addr_t high, const struct area_outer *outer)
{
	const struct meter_open first[2] = {
		{ .sp = high, .took = outer->return_address, .step = outer->sp }
	};
	const uint64_t head[] = { open_at(area, block, 0), low,
				  open_at(area, block, METER_DEPTH) };
	int r = space_write(space, open_at(area, block, 0), first,
			    sizeof(first));

	if (r < 0)
		return r;
	return space_write(space, block_at(area, block), head, sizeof(head));
}

int
area_take_calls(const struct area *area, struct space *space, unsigned block,
		struct area_calls *ret_calls)
{
	static const uint64_t zero = 0;
	addr_t first = open_at(area, block, 0);
	struct {
		uint64_t top, low, full, unused[5];
		struct meter_open first;
	} head;
	int r;

	static_assert(sizeof(head) == offsetof(struct meter_block, open) +
					      sizeof(struct meter_open),
		      "the block's head");
	ret_calls->count = 0;
	ret_calls->inner = 0;
	r = space_read_raw(space, block_at(area, block), &head, sizeof(head));
	if (r == 0 && head.first.inner)
		r = space_write(space,
				first + offsetof(struct meter_open, inner),
				&zero, sizeof(zero));
	if (r < 0)
		return r;
	ret_calls->inner = head.first.inner;
	if (head.top <= first || head.top > head.full)
		return 0;
	ret_calls->count =
		(unsigned)((head.top - first) / sizeof(struct meter_open));
	r = space_read_raw(space, open_at(area, block, 1), ret_calls->open,
			   ret_calls->count * sizeof(ret_calls->open[0]));
	if (r == 0 && keeps(area))
		r = space_read_raw(space, open_at(area, block, 1) + METER_KEPT,
				   ret_calls->kept,
				   ret_calls->count *
					   sizeof(ret_calls->kept[0]));
	if (r == 0)
		r = space_write(space, block_at(area, block), &first,
				sizeof(first));
	if (r < 0)
		ret_calls->count = 0;
	return r;
}

int
area_read_text(const struct area *area, struct space *space, unsigned block,
	       unsigned call, unsigned text, uint8_t ret_bytes[METER_TEXT_ROOM])
{
	uint64_t offset =
		offsetof(struct meter_block, texts) +
		((call + 1) * METER_TEXTS + text) * (uint64_t)METER_TEXT_ROOM;

	return space_read_raw(space, block_at(area, block) + offset, ret_bytes,
			      METER_TEXT_ROOM);
}

static void
subtract(struct space *space, addr_t at, uint64_t amount)
{
	uint64_t word;

	if (space_read_raw(space, at, &word, sizeof(word)) < 0)
		return;
	word -= amount;
	if (space_write(space, at, &word, sizeof(word)) < 0)
		debug("a sum stays");
}

static void
take_back_step(struct space *space, addr_t at)
{
	uint32_t calls;

	if (space_read_raw(space, at, &calls, sizeof(calls)) < 0)
		return;
	calls--;
	if (space_write(space, at, &calls, sizeof(calls)) < 0)
		debug("a step stays");
}

/* Takes back what only a meter with a histogram adds. `last` is a copy of the
 * open call at the address `from`. */
static void
take_back_whole(struct space *space, addr_t from, const struct meter_open *last,
		addr_t sums, enum meter_written written)
{
	if (written >= METER_STEP)
		take_back_step(space,
			       sums + offsetof(struct meter_whole, steps) +
				       last->step * sizeof(uint32_t));
	if (written >= METER_INNER)
		subtract(space,
			 from - sizeof(*last) +
				 offsetof(struct meter_open, inner),
			 last->took);
	if (written >= METER_OWN)
		subtract(space, sums + offsetof(struct meter_whole, own),
			 last->took - last->inner);
	if (written >= METER_MOST &&
	    space_write(space, sums + offsetof(struct meter_whole, most),
			&last->most, sizeof(last->most)) < 0)
		debug("the longest call stays");
}

/* Sets the cell of the open call at the address `from` to what it was before
 * the call returned. */
static void
take_back_cell(const struct area *area, struct space *space, addr_t from)
{
	struct meter_open last;
	uint64_t cell[3];

	static_assert(offsetof(struct meter_cell, total) == 8 &&
			      offsetof(struct meter_cell, count) == 16,
		      "the cell's head");
	if (space_read_raw(space, from, &last, sizeof(last)) < 0 ||
	    !area_has_cell(area, last.inner))
		return;
	cell[0] = last.took;
	cell[1] = last.step;
	cell[2] = last.most;
	if (space_write(space, last.inner, cell, sizeof(cell)) < 0)
		debug("the cell at %#" PRIx64 " stays", last.inner);
}

void
area_take_back(const struct area *area, struct space *space, unsigned block,
	       enum meter_written written)
{
	addr_t at = block_at(area, block), sums;
	struct meter_open last;
	uint64_t head[4];

	if (space_read_raw(space, at, head, sizeof(head)) < 0)
		return;
	if (written == METER_IF_ADDED)
		written = head[3] ? METER_CLOSED : METER_NOTHING;
	if (written == METER_IF_OPENED)
		written = head[3] ? METER_OPENED : METER_NOTHING;
	if (written == METER_NOTHING)
		return;
	if (written == METER_OPENED)
		subtract(space, at, sizeof(last));
	if (written == METER_CLOSED) {
		subtract(space, at, (uint64_t) - sizeof(last));
		head[0] += sizeof(last);
	}
	if (area->kind == AREA_QUERIES && written >= METER_CELL)
		take_back_cell(area, space, head[0]);
	if (keeps(area) && written >= METER_PASSED)
		subtract(space, at + offsetof(struct meter_block, passed), 1);
	if (keeps(area) || written < METER_TICKS ||
	    space_read_raw(space, head[0], &last, sizeof(last)) < 0)
		return;
	sums = at + last.sums;
	if (area->kind == AREA_WHOLES)
		take_back_whole(space, head[0], &last, sums, written);
	if (written >= METER_CALLS)
		subtract(space, sums + offsetof(struct meter_sum, calls), 1);
	subtract(space, sums + offsetof(struct meter_sum, ticks), last.took);
}

int
area_read_sums(const struct area *area, struct space *space, unsigned block,
	       unsigned count, struct meter_sum *ret_sums)
{
	addr_t at = block_at(area, block);
	int r = 0;

	if (area->kind != AREA_WHOLES)
		return space_read_raw(space, at + area_sums_offset(area, 0),
				      ret_sums, count * sizeof(ret_sums[0]));
	for (unsigned i = 0; i < count && r == 0; i++)
		r = space_read_raw(space, at + area_sums_offset(area, i),
				   &ret_sums[i], sizeof(ret_sums[i]));
	return r;
}

int
area_read_passed(const struct area *area, struct space *space, unsigned block,
		 uint64_t *ret_calls)
{
	return space_read_raw(space,
			      block_at(area, block) +
				      offsetof(struct meter_block, passed),
			      ret_calls, sizeof(*ret_calls));
}

int
area_read_whole(const struct area *area, struct space *space, unsigned block,
		unsigned function, struct meter_whole *ret_whole)
{
	return space_read_raw(space,
			      block_at(area, block) +
				      area_sums_offset(area, function),
			      ret_whole, sizeof(*ret_whole));
}
