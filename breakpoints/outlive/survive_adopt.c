/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Takes over a handler area that another xtrace has left. It was killed at an
 * unknown moment, so its notes are checked against the memory: a region of
 * slots may not be mapped, the table may be missing, traps may still be
 * planted. Memory is unmapped before the handler area that names it
 * (survive_end), and a region is noted before it is mapped. So everything that
 * is left can be found from the handler area.
 */
#include "breakpoints/outlive/survive.h"

#include "base/log.h"
#include "base/xmalloc.h"
#include "breakpoints/outlive/area.h"
#include "breakpoints/outlive/cores.h"
#include "breakpoints/outlive/way.h"
#include "process/maps.h"
#include "process/remote.h"

#include <stddef.h>
#include <string.h>

/* The size of the largest region of slots and a handler area. */
#define LOOK_MOST (UINT64_C(0x1000000) + AREA_CODE_SIZE)

static bool
read_header(struct space *space, addr_t code, struct inside_anchor *anchor,
	    struct inside_header *header)
{
	return space_read_raw(space, code, anchor, sizeof(*anchor)) == 0 &&
	       anchor->magic == INSIDE_MAGIC &&
	       space_read_raw(space, anchor->data, header, sizeof(*header)) ==
		       0 &&
	       header->magic == INSIDE_MAGIC &&
	       header->region_count <= INSIDE_REGIONS &&
	       (header->mask & (header->mask + 1)) == 0 &&
	       header->mask < UINT64_C(1) << 24;
}

static uint64_t
count_entries(const struct inside_entry *entries, uint64_t mask)
{
	uint64_t count = 0;

	for (uint64_t i = 0; i <= mask; i++)
		count += entries[i].site != 0;
	return count;
}

/* Fills in survive if a handler area begins at the address code. */
static bool
read_area(struct survive *survive, struct space *space, addr_t code,
	  uint64_t size)
{
	cleanup(freep) struct inside_entry *entries = NULL;
	struct inside_header header;
	struct inside_anchor anchor;
	uint64_t bytes, count;

	if (!read_header(space, code, &anchor, &header))
		return false;
	bytes = (header.mask + 1) * sizeof(entries[0]);
	entries = xmalloc(bytes);
	if (space_read_raw(space, header.table, entries, bytes) < 0)
		return false;
	/* Without a free entry, a search for a site that is not in the table
	 * has no end. No xtrace leaves such a table. */
	count = count_entries(entries, header.mask);
	if (count > header.mask)
		return false;
	survive->count = count;
	survive->header = header;
	survive->entries = take(entries);
	survive->inside = inside_code(space->arch->word);
	survive->code = code;
	survive->code_size = size;
	survive->data = anchor.data;
	return true;
}

/* Clears the notes of nudges, which ended when the earlier xtrace ended. */
static void
forget_held(struct survive *survive, struct space *space)
{
	struct inside_held *held = survive->header.held;

	memset(held, 0, sizeof(survive->header.held));
	if (space_write(space,
			survive->data + offsetof(struct inside_header, held),
			held, sizeof(survive->header.held)) < 0)
		debug("the notes of nudges stay");
}

/*
 * Takes one step in which the jumps of the earlier xtrace become traps at their
 * first bytes, while threads run. A jump whose original bytes are already
 * restored is left alone, because no watcher would remove a trap that is
 * written there.
 */
static bool
jumps_step_back(const struct survive *survive, struct space *space,
		unsigned step)
{
	bool written = false;
	struct jump jump;

	for (uint64_t i = 0; i <= survive->header.mask; i++) {
		if (way_unpack(&survive->entries[i], &jump) &&
		    way_begun(space->memory, &jump))
			written |=
				way_step(space->memory, &jump,
					 &space->arch->trap,
					 jump_step_back(&jump, step, true)) > 0;
	}
	return written;
}

static bool
jumps_go_back(const struct survive *survive, struct space *space)
{
	for (unsigned step = 0; step < JUMP_STEPS; step++) {
		if (jumps_step_back(survive, space, step) &&
		    cores_sync_global() < 0)
			return false;
	}
	return true;
}

/* Removes the traps that the earlier xtrace has left. If a jump could not be
 * turned into a trap, its trap stays, because its other bytes are not the
 * original ones. */
static void
lift_left(struct survive *survive, struct space *space)
{
	const struct arch_trap *trap = &space->arch->trap;
	bool came_back = jumps_go_back(survive, space);

	for (uint64_t i = 0; i <= survive->header.mask; i++) {
		const struct inside_entry *entry = &survive->entries[i];
		uint8_t there[TRAP_MOST];

		if (!entry->site)
			continue;
		if (entry->jump && !came_back)
			continue;
		if (space_read_raw(space, entry->site, there, trap->length) <
			    0 ||
		    !trap_is_at(trap, there))
			continue;
		debug("removing a trap left at %#" PRIx64, entry->site);
		if (space_write(space, entry->site, &entry->original,
				trap->length) < 0)
			debug("it could not be removed");
	}
}

static bool
has_region(const struct inside_header *header, addr_t start)
{
	for (uint64_t i = 0; i < header->region_count; i++) {
		if (header->regions[i].start == start)
			return true;
	}
	return false;
}

void
survive_reread(struct survive *survive, struct slots *slots,
	       struct space *space)
{
	struct survive now = { .refused = survive->refused };

	if (!survive->code)
		return;
	if (!read_area(&now, space, survive->code, survive->code_size))
		debug("the copy has no handler area");
	for (size_t i = slots->regions.count; i-- > 0;) {
		if (!slots->regions.at[i].before &&
		    !has_region(&now.header, slots->regions.at[i].start))
			vec_remove(&slots->regions, i);
	}
	survive_release(survive);
	*survive = now;
	if (!survive->code)
		slots->planned = 0;
}

/* True if the whole range is anonymous memory with our protections. The earlier
 * xtrace may have been killed after it had unmapped a part of the range, or
 * before it had mapped the range. */
static bool
stands(const struct maps *maps, addr_t start, uint64_t size, bool executable)
{
	const struct mapping *m = maps_covering(maps, start);

	return m && !m->path[0] && !m->shared && m->executable == executable &&
	       m->writable != executable && m->end - start >= size;
}

/* Is a region of data still mapped? The program may have mapped memory at the
 * same place, so the region's last words (struct area_mark) decide. */
static bool
has_mark(struct space *space, const struct maps *maps,
	 const struct inside_region *region)
{
	struct area_mark mark;

	return region->size > sizeof(mark) &&
	       stands(maps, region->start, region->size, false) &&
	       space_read_raw(space,
			      region->start + region->size - sizeof(mark),
			      &mark, sizeof(mark)) == 0 &&
	       mark.magic == AREA_MARK_MAGIC && mark.start == region->start;
}

static void
drop_unmapped(struct survive *survive, struct space *space,
	      const struct maps *maps)
{
	struct inside_header *header = &survive->header;
	uint64_t kept = 0;

	for (uint64_t i = 0; i < header->region_count; i++) {
		if (stands(maps, header->regions[i].start,
			   header->regions[i].size, true) ||
		    has_mark(space, maps, &header->regions[i]))
			header->regions[kept++] = header->regions[i];
	}
	header->region_count = kept;
}

static bool
untouched(struct space *space, addr_t start, uint64_t size)
{
	static const uint8_t nothing[ADDR_PAGE];
	uint8_t page[ADDR_PAGE];

	for (uint64_t at = 0; at < size; at += ADDR_PAGE)
		if (space_read_raw(space, start + at, page, sizeof(page)) < 0 ||
		    memcmp(page, nothing, sizeof(page)) != 0)
			return false;
	return true;
}

/* Takes over a region that the earlier xtrace was about to map when it was
 * killed, if the region is mapped. If it contains something, it belongs to the
 * program. */
static void
take_planned(struct survive *survive, struct space *space,
	     const struct maps *maps)
{
	struct inside_header *header = &survive->header;
	struct inside_region planned = header->planned;

	header->planned = (struct inside_region){ 0 };
	if (!planned.size)
		return;
	if (header->region_count < INSIDE_REGIONS &&
	    stands(maps, planned.start, planned.size, true) &&
	    untouched(space, planned.start, planned.size)) {
		debug("%#" PRIx64 " was noted and is mapped", planned.start);
		planned.used = STUB_ROOM;
		header->regions[header->region_count++] = planned;
	}
	if (space_write(space, survive->data, header,
			offsetof(struct inside_header, held)) < 0)
		debug("its note stays");
}

/* If the table was unmapped or not yet written, uses the handler area's own
 * table again. */
static void
repair_table(struct space *space, addr_t code, const struct maps *maps)
{
	const uint64_t own[2] = { code + AREA_CODE_SIZE +
					  sizeof(struct inside_header),
				  AREA_ENTRIES - 1 };
	struct inside_header header;
	struct inside_anchor anchor;

	if (!read_header(space, code, &anchor, &header) ||
	    stands(maps, header.table,
		   (header.mask + 1) * sizeof(struct inside_entry), false))
		return;
	debug("the table at %#" PRIx64 " is missing", header.table);
	if (space_write(space,
			anchor.data + offsetof(struct inside_header, table),
			own, sizeof(own)) < 0)
		debug("and cannot be replaced");
}

/* The size in the header may be out of date: the table may name slots that were
 * made after the header was written. */
static uint64_t
used_of(const struct survive *survive, const struct inside_region *region)
{
	uint64_t used = region->used;

	for (uint64_t i = 0; i <= survive->header.mask; i++) {
		uint64_t at = survive->entries[i].slot - region->start;

		if (survive->entries[i].site && at < region->size &&
		    at + SLOT_ROOM > used)
			used = at + SLOT_ROOM;
	}
	return used < region->size ? used : region->size;
}

static void
take_regions(const struct survive *survive, struct slots *slots)
{
	for (uint64_t i = 0; i < survive->header.region_count; i++) {
		const struct inside_region *left = &survive->header.regions[i];
		struct region region = { .start = left->start,
					 .size = left->size,
					 .used = used_of(survive, left) };

		vec_push(&slots->regions, region);
	}
	slots->scratch = survive->code + area_code_used(survive->inside);
	survive_plans(survive, slots);
}

/* The kernel merges neighbouring anonymous mappings, so the area may begin in
 * the middle of one. */
static bool
find_area(struct survive *survive, struct space *space, const struct maps *maps,
	  const struct mapping *m)
{
	addr_t end =
		m->end - m->start > LOOK_MOST ? m->start + LOOK_MOST : m->end;

	for (addr_t at = m->start; at + AREA_CODE_SIZE <= end;
	     at += ADDR_PAGE) {
		repair_table(space, at, maps);
		if (read_area(survive, space, at, AREA_CODE_SIZE))
			return true;
	}
	return false;
}

bool
survive_adopt(struct survive *survive, struct slots *slots, struct space *space)
{
	struct maps maps;
	bool found = false;

	maps_init(&maps);
	if (maps_read(&maps, space->pid) < 0)
		maps.mappings.count = 0;
	for (size_t i = 0; i < maps.mappings.count && !found; i++) {
		const struct mapping *m = &maps.mappings.at[i];

		if (m->executable && !m->writable && !m->path[0])
			found = find_area(survive, space, &maps, m);
	}
	if (found) {
		drop_unmapped(survive, space, &maps);
		take_planned(survive, space, &maps);
	}
	maps_release(&maps);
	if (!found)
		return false;
	debug("taking over a handler area at %#" PRIxADDR, survive->code);
	forget_held(survive, space);
	lift_left(survive, space);
	take_regions(survive, slots);
	return true;
}
