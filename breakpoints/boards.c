/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Rooms for springboards, the best ones first: free places in the pages that we
 * have mapped; free pages near the site; free pages farther away. Space next to
 * a mapping that grows is not taken: behind the heap (brk), below a stack, and
 * below the lowest mapping of a gap, where the next mmap(2) of the program will
 * be put.
 */
#include "breakpoints/boards.h"

#include <string.h>

/* How far from the site a place may be, in bytes, to be near, and to be used at
 * all. A jump reaches further, but the springboard has to reach the check near
 * the site. */
#define NEAR_DISTANCE UINT64_C(0x4000000)
#define FAR_DISTANCE UINT64_C(0x70000000)

/* The distances, in bytes, that are kept from mappings that grow. */
#define ABOVE UINT64_C(0x10000)
#define BELOW UINT64_C(0x1000000)
#define ABOVE_HEAP UINT64_C(0x20000000)
#define LOWEST UINT64_C(0x100000)
#define HIGHEST UINT64_C(0x7ffffffff000)

void
boards_release(struct boards *boards)
{
	vec_release(&boards->pages);
	vec_release(&boards->taken);
}

void
boards_copy(struct boards *to, const struct boards *from)
{
	*to = (struct boards){ 0 };
	for (size_t i = 0; i < from->pages.count; i++)
		vec_push(&to->pages, from->pages.at[i]);
	for (size_t i = 0; i < from->taken.count; i++)
		vec_push(&to->taken, from->taken.at[i]);
}

static void
add_room(struct board_rooms *rooms, addr_t start, addr_t end)
{
	struct jump_room room = { start, end };

	if (start < end)
		vec_push(&rooms->list, room);
}

/* Adds the parts of a gap whose distance from the site is between `from` and
 * `to`. */
static void
add_between(struct board_rooms *rooms, struct jump_room gap, addr_t site,
	    uint64_t from, uint64_t to)
{
	addr_t low = site > to ? site - to : 0;
	addr_t high = site > from ? site - from : 0;

	add_room(rooms, gap.start > low ? gap.start : low,
		 gap.end < high ? gap.end : high);
	low = site + from;
	high = site + to;
	add_room(rooms, gap.start > low ? gap.start : low,
		 gap.end < high ? gap.end : high);
}

/* Adds the free places in a page that we have mapped. */
static void
add_page(const struct boards *boards, addr_t page, unsigned length,
	 struct board_rooms *rooms)
{
	addr_t from = page;

	for (size_t i = 0; i < boards->taken.count; i++) {
		addr_t taken = boards->taken.at[i];

		if (taken + length <= page || taken >= page + ADDR_PAGE)
			continue;
		add_room(rooms, from, taken);
		from = taken + length;
	}
	add_room(rooms, from, page + ADDR_PAGE);
}

static void
add_gap(const struct maps *maps, size_t next, addr_t site,
	struct board_rooms *near, struct board_rooms *far)
{
	const struct mapping *list = maps->mappings.at;
	struct jump_room gap = { LOWEST, HIGHEST };

	if (next > 0)
		gap.start =
			list[next - 1].end +
			(strcmp(list[next - 1].path, "[heap]") ? ABOVE
							       : ABOVE_HEAP);
	if (next < maps->mappings.count)
		gap.end = list[next].start;
	gap.end = gap.end > BELOW ? addr_page(gap.end - BELOW) : 0;
	add_between(near, gap, site, 0, NEAR_DISTANCE);
	add_between(far, gap, site, NEAR_DISTANCE, FAR_DISTANCE);
}

void
boards_rooms(const struct boards *boards, const struct maps *maps, addr_t site,
	     unsigned length, struct board_rooms *ret_rooms)
{
	struct board_rooms far = { 0 };

	for (size_t i = 0; i < boards->pages.count; i++) {
		addr_t page = boards->pages.at[i];
		uint64_t distance = page > site ? page - site : site - page;

		if (distance < FAR_DISTANCE)
			add_page(boards, page, length, ret_rooms);
	}
	for (size_t i = 0; i <= maps->mappings.count; i++)
		add_gap(maps, i, site, ret_rooms, &far);
	for (size_t i = 0; i < far.list.count; i++)
		vec_push(&ret_rooms->list, far.list.at[i]);
	vec_release(&far.list);
}

static bool
has_page(const struct boards *boards, addr_t page)
{
	for (size_t i = 0; i < boards->pages.count; i++) {
		if (boards->pages.at[i] == page)
			return true;
	}
	return false;
}

static void
insert(struct boards *boards, addr_t board)
{
	size_t at = boards->taken.count;

	vec_push(&boards->taken, board);
	for (; at > 0 && boards->taken.at[at - 1] > board; at--)
		boards->taken.at[at] = boards->taken.at[at - 1];
	boards->taken.at[at] = board;
}

int
boards_take(struct boards *boards, struct slots *slots, struct table *table,
	    struct thread *thread, struct jump_room place)
{
	for (addr_t page = addr_page(place.start); page < place.end;
	     page += ADDR_PAGE) {
		int r;

		if (has_page(boards, page))
			continue;
		r = slots_map_at(slots, table, thread, page, ADDR_PAGE);
		if (r < 0)
			return r;
		vec_push(&boards->pages, page);
	}
	insert(boards, place.start);
	return 0;
}
