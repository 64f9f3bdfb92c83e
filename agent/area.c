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

#include <errno.h>
#include <stddef.h>
#include <string.h>

#define BLOCKS_AT addr_whole_pages(sizeof(struct meter_tables))
#define BLOCK_ROOM sizeof(struct meter_block)
#define SIZE                                                     \
	addr_whole_pages(BLOCKS_AT + METER_BLOCKS * BLOCK_ROOM + \
			 sizeof(struct area_mark))

static addr_t
block_at(const struct area *area, unsigned block)
{
	return area->at + BLOCKS_AT + block * BLOCK_ROOM;
}

int
area_begin(struct area *area, struct sites *sites, struct thread *thread)
{
	struct area_mark mark = { .magic = AREA_MARK_MAGIC };
	addr_t at;
	int r = slots_map_data(&sites->slots, sites->table, thread,
			       sites->survive.code, SIZE, &at);

	if (r == 0)
		r = survive_regions(&sites->survive, &sites->slots,
				    sites->space);
	if (r < 0)
		return r;
	mark.start = at;
	r = space_write(sites->space, at + SIZE - sizeof(mark), &mark,
			sizeof(mark));
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

int
area_add_thread(struct area *area, struct space *space, addr_t pointer)
{
	static const struct meter_block empty = { .low = UINT64_MAX };
	struct meter_thread *free_at = find_thread(area, pointer, 0);
	unsigned block = 0;
	int r;

	if (pointer && find_thread(area, pointer, pointer))
		return -EEXIST;
	while (block < METER_BLOCKS && area->taken[block])
		block++;
	if (!pointer || !free_at || block == METER_BLOCKS)
		return -ENOSPC;
	r = space_write(space, block_at(area, block), &empty, sizeof(empty));
	if (r == 0)
		r = area_open(area, space, block, UINT64_MAX, 0);
	if (r == 0)
		r = write_thread(area, space, free_at,
				 (struct meter_thread){
					 pointer, block_at(area, block) });
	if (r < 0)
		return r;
	area->taken[block] = true;
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
area_open(const struct area *area, struct space *space, unsigned block,
	  addr_t low, addr_t high)
{
	const struct meter_open first = { .sp = high };
	const uint64_t head[] = { open_at(area, block, 0), low,
				  open_at(area, block, METER_DEPTH) };
	int r = space_write(space, open_at(area, block, 0), &first,
			    sizeof(first));

	if (r < 0)
		return r;
	return space_write(space, block_at(area, block), head, sizeof(head));
}

int
area_take_calls(const struct area *area, struct space *space, unsigned block,
		struct area_calls *ret_calls)
{
	addr_t first = open_at(area, block, 0);
	uint64_t head[4];
	int r = space_read_raw(space, block_at(area, block), head,
			       sizeof(head));

	ret_calls->count = 0;
	if (r < 0)
		return r;
	ret_calls->added = head[3];
	if (head[0] <= first || head[0] > head[2])
		return 0;
	ret_calls->count =
		(unsigned)((head[0] - first) / sizeof(struct meter_open));
	r = space_read_raw(space, open_at(area, block, 1), ret_calls->open,
			   ret_calls->count * sizeof(ret_calls->open[0]));
	if (r == 0)
		r = space_write(space, block_at(area, block), &first,
				sizeof(first));
	if (r < 0)
		ret_calls->count = 0;
	return r;
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

void
area_take_back(const struct area *area, struct space *space, unsigned block,
	       enum meter_written written)
{
	addr_t at = block_at(area, block);
	struct meter_open last;
	uint64_t head[4];

	if (space_read_raw(space, at, head, sizeof(head)) < 0)
		return;
	if (written == METER_IF_ADDED)
		written = head[3] ? METER_CLOSED : METER_NOTHING;
	if (written == METER_NOTHING)
		return;
	if (written == METER_OPENED)
		subtract(space, at, sizeof(last));
	if (written == METER_CLOSED) {
		subtract(space, at, (uint64_t) - sizeof(last));
		head[0] += sizeof(last);
	}
	if (written < METER_TICKS ||
	    space_read_raw(space, head[0], &last, sizeof(last)) < 0)
		return;
	if (written >= METER_CALLS)
		subtract(space,
			 at + last.sums + offsetof(struct meter_sum, calls), 1);
	subtract(space, at + last.sums + offsetof(struct meter_sum, ticks),
		 last.took);
}

int
area_read_sums(const struct area *area, struct space *space, unsigned block,
	       struct meter_sum ret_sums[METER_SUMS])
{
	return space_read_raw(space,
			      block_at(area, block) +
				      offsetof(struct meter_block, sums),
			      ret_sums, METER_SUMS * sizeof(ret_sums[0]));
}
