/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Regions of slots. The first is small, and each further one is twice as large.
 * To trace one function takes four pages; to trace everything takes a few
 * system calls. A region is placed below the text that it serves if possible,
 * so that the heap after a program and the next addresses from mmap are where
 * they would be without us.
 *
 * The first mapping needs a few hundred bytes of executable memory for the stub
 * that makes it. It uses the slack between the end of a library's text and the
 * end of its page, which tracer/ finds. Later mappings use a region's own
 * memory.
 *
 * A survey may be outdated, and other threads of the program map memory even
 * between our reading of the mappings and the injected call, mostly next to the
 * lowest mapping, where our gaps are, too. Then the kernel refuses to map over
 * an existing mapping (MAP_FIXED_NOREPLACE). We read the mappings again and
 * look for a gap farther away.
 */
#include "breakpoints/slots/slots.h"

#include "base/log.h"
#include "breakpoints/outlive/inside/inside.h"
#include "process/remote.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define FIRST_REGION UINT64_C(0x8000)
#define LARGEST_REGION UINT64_C(0x1000000)
/* The handler area has room to name INSIDE_REGIONS regions. The last 16 are
 * kept for regions of slots: data and springboards may not use them. */
#define REGIONS_MOST (INSIDE_REGIONS - 16)
/* REFUSALS_MOST: how often another gap is tried after the kernel has refused
 * one. FIRST_DISTANCE: the distance in bytes that the second gap keeps from the
 * mapping above it. The distance doubles with each further gap. */
#define REFUSALS_MOST 8u
#define FIRST_DISTANCE UINT64_C(0x100000)

static bool
within_reach(const struct slots *slots, const struct region *region,
	     addr_t near)
{
	addr_t low = near < region->start ? near : region->start;
	addr_t end = region->start + region->size;
	addr_t high = near > end ? near : end;

	return high - low < slots->reach;
}

static uint64_t
aligned(uint64_t size)
{
	return (size + SLOT_ALIGNMENT - 1) & ~(uint64_t)(SLOT_ALIGNMENT - 1);
}

addr_t
slots_take(struct slots *slots, addr_t near, uint64_t size)
{
	size = aligned(size);
	for (size_t i = slots->regions.count; i-- > 0;) {
		struct region *region = &slots->regions.at[i];
		addr_t slot = region->start + region->used;

		if (region->size - region->used < size ||
		    !within_reach(slots, region, near))
			continue;
		region->used += size;
		return slot;
	}
	return 0;
}

void
slots_trim(struct slots *slots, addr_t slot, uint64_t size, uint64_t used)
{
	for (size_t i = slots->regions.count; i-- > 0;) {
		struct region *region = &slots->regions.at[i];

		if (region->start + region->used != slot + aligned(size))
			continue;
		assert(used <= size);
		region->used -= aligned(size) - aligned(used);
		return;
	}
}

static struct idle_slots *
idle_of(struct slots *slots, uint64_t size)
{
	assert(size > 0 && size <= SLOT_ROOM);
	return &slots->idle[(aligned(size) - 1) / SLOT_ALIGNMENT];
}

void
slots_give(struct slots *slots, addr_t slot, uint64_t size)
{
	struct idle_slots *idle = idle_of(slots, size);

	/* Removes from the list the slots that were taken again. */
	if (idle->first > idle->list.count / 2) {
		idle->list.count -= idle->first;
		memmove(idle->list.at, idle->list.at + idle->first,
			idle->list.count * sizeof(idle->list.at[0]));
		idle->first = 0;
	}
	vec_push(&idle->list, slot);
}

static const struct region *
region_of(const struct slots *slots, addr_t slot)
{
	for (size_t i = 0; i < slots->regions.count; i++) {
		const struct region *region = &slots->regions.at[i];

		if (slot - region->start < region->size)
			return region;
	}
	return NULL;
}

/* Slots are taken in the order in which they were given. If a library is loaded
 * again, its slots are neighbours again and can be written together. */
addr_t
slots_take_given(struct slots *slots, addr_t near, uint64_t size)
{
	struct idle_slots *idle = idle_of(slots, size);

	for (size_t i = idle->first; i < idle->list.count; i++) {
		addr_t slot = idle->list.at[i];
		const struct region *region = region_of(slots, slot);

		if (!region || !within_reach(slots, region, near))
			continue;
		idle->list.at[i] = idle->list.at[idle->first++];
		return slot;
	}
	return 0;
}

uint64_t
slots_free(const struct slots *slots, addr_t near)
{
	uint64_t bytes = 0;

	for (size_t i = 0; i < slots->regions.count; i++) {
		const struct region *region = &slots->regions.at[i];

		if (within_reach(slots, region, near))
			bytes += region->size - region->used;
	}
	return bytes;
}

bool
slots_cover(const struct slots *slots, addr_t address)
{
	return region_of(slots, address) != NULL;
}

void
slots_offer_slack(struct slots *slots, addr_t start, uint64_t size)
{
	struct region region = { .start = start, .size = size };

	if (size >= SLOT_ROOM)
		vec_push(&slots->slack, region);
}

static bool
begins_within(const struct region *region, addr_t start, addr_t end)
{
	return region->start >= start && region->start < end;
}

void
slots_forget_slack(struct slots *slots, addr_t start, addr_t end)
{
	for (size_t i = slots->slack.count; i-- > 0;) {
		if (begins_within(&slots->slack.at[i], start, end))
			vec_remove(&slots->slack, i);
	}
	for (size_t i = slots->regions.count; i-- > 0;) {
		struct region *region = &slots->regions.at[i];

		if (!region->before || !begins_within(region, start, end))
			continue;
		free(region->before);
		vec_remove(&slots->regions, i);
	}
}

int
slots_take_slack(struct slots *slots, struct space *space)
{
	if (slots->slack_taken)
		return -ENOSPC;
	slots->slack_taken = true;
	/*
	 * The start of the region was reserved for injected calls, which are
	 * over.
	 */
	slots->scratch = 0;
	for (size_t i = 0; i < slots->slack.count; i++) {
		struct region region = slots->slack.at[i];

		region.before = xmalloc(region.size);
		if (space_read_raw(space, region.start, region.before,
				   region.size) == 0)
			vec_push(&slots->regions, region);
		else
			free(region.before);
	}
	return 0;
}

void
slots_restore_slack(struct slots *slots, struct space *space)
{
	for (size_t i = 0; i < slots->regions.count; i++) {
		const struct region *region = &slots->regions.at[i];

		if (region->before && region->used &&
		    space_write(space, region->start, region->before,
				region->used) < 0)
			debug("slack at %#" PRIxADDR " keeps slots",
			      region->start);
	}
}

void
slots_release(struct slots *slots)
{
	for (size_t i = 0; i < slots->regions.count; i++)
		free(slots->regions.at[i].before);
	vec_release(&slots->regions);
	vec_release(&slots->slack);
	for (size_t i = 0; i < SLOT_SIZES; i++)
		vec_release(&slots->idle[i].list);
	slots_drop_survey(slots);
}

void
slots_copy(struct slots *to, const struct slots *from)
{
	*to = (struct slots){ .reach = from->reach,
			      .top = from->top,
			      .scratch = from->scratch,
			      .planned = from->planned,
			      .slack_taken = from->slack_taken };
	for (size_t i = 0; i < from->slack.count; i++)
		vec_push(&to->slack, from->slack.at[i]);
	for (size_t i = 0; i < SLOT_SIZES; i++) {
		const struct idle_slots *idle = &from->idle[i];

		for (size_t j = idle->first; j < idle->list.count; j++)
			vec_push(&to->idle[i].list, idle->list.at[j]);
	}
	for (size_t i = 0; i < from->regions.count; i++) {
		struct region region = from->regions.at[i];

		if (region.before)
			region.before = memcpy(xmalloc(region.size),
					       region.before, region.size);
		vec_push(&to->regions, region);
	}
}

static uint64_t
next_size(const struct slots *slots, uint64_t size)
{
	uint64_t room = FIRST_REGION;

	for (size_t i = 0; i < slots->regions.count; i++)
		room *= slots->regions.at[i].size >= FIRST_REGION ? 2 : 1;
	if (room > LARGEST_REGION)
		room = LARGEST_REGION;
	if (room < size + STUB_ROOM)
		room = size + STUB_ROOM;
	return addr_whole_pages(room);
}

static int
map_at(struct table *table, struct thread *thread, addr_t scratch, addr_t at,
       uint64_t size, unsigned protection)
{
	struct stub_call call = {
		.number = SYS_mmap,
		.arguments = { at, size, PROT_READ | protection,
			       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				       MAP_FIXED_NOREPLACE,
			       (uint64_t)-1, 0 },
	};
	int64_t result;
	int r = remote_run(table, thread, scratch, &call, 1, &result);

	if (r < 0)
		return r;
	if (result == -EEXIST)
		return -EEXIST;
	return (addr_t)result == at ? 0 : -ENOSPC;
}

void
slots_drop_survey(struct slots *slots)
{
	maps_release(&slots->survey);
	slots->surveyed = false;
}

void
slots_survey(struct slots *slots, pid_t pid)
{
	slots_drop_survey(slots);
	slots->surveyed = maps_read(&slots->survey, pid) == 0;
}

/* Finds a gap of size bytes within reach that is below the program's top: the
 * kernel maps nothing above it. */
static addr_t
gap_below_top(const struct slots *slots, const struct maps *maps, addr_t near,
	      uint64_t size)
{
	addr_t gap = maps_gap(maps, near, near + 1, size, slots->reach);

	if (gap && gap + size > slots->top)
		gap = maps_gap(maps, near, near + 1, size, slots->top - near);
	return gap;
}

/* Finds a gap of size bytes. After refusals, a larger gap is searched and its
 * lower end is used, because this is farther from the mapping above the gap. */
static addr_t
find_gap(const struct slots *slots, const struct maps *maps, addr_t near,
	 uint64_t size)
{
	unsigned refusals = slots->refusals;
	addr_t gap = 0;

	if (refusals)
		gap = gap_below_top(slots, maps, near,
				    size + (FIRST_DISTANCE << (refusals - 1)));
	if (!gap)
		gap = gap_below_top(slots, maps, near, size);
	return gap;
}

int
slots_gap(struct slots *slots, pid_t pid, addr_t near, uint64_t size,
	  addr_t *ret_gap)
{
	struct maps now = { 0 };
	addr_t gap = 0;
	int r = 0;

	if (slots->surveyed) {
		gap = find_gap(slots, &slots->survey, near, size);
		/*
		 * Allocates before the mapping: if there is no memory, xtrace
		 * dies here.
		 */
		if (gap)
			maps_add(&slots->survey, gap, gap + size);
	} else {
		r = maps_read(&now, pid);
		if (r == 0)
			gap = find_gap(slots, &now, near, size);
		maps_release(&now);
	}
	if (r == 0 && !gap)
		r = -ENOSPC;
	if (r == 0)
		*ret_gap = gap;
	else
		slots->refusals = 0;
	return r;
}

bool
slots_refused(struct slots *slots, int result)
{
	bool again = result == -EEXIST && slots->refusals < REFUSALS_MOST;

	slots->refusals = again ? slots->refusals + 1 : 0;
	if (again)
		slots_drop_survey(slots);
	return again;
}

/* If we are killed before the handler area names the region, a later xtrace
 * finds this note. */
static int
plan_region(const struct slots *slots, struct space *space, addr_t start,
	    uint64_t size)
{
	const struct inside_region planned = { .start = start, .size = size };

	if (!slots->planned)
		return 0;
	return space_write(space, slots->planned, &planned, sizeof(planned));
}

static int
map_whole(struct slots *slots, struct table *table, struct thread *thread,
	  addr_t start, uint64_t size, unsigned protection)
{
	struct region region = { .start = start, .size = size, .used = size };
	struct space *space = thread->process->space;
	int r;

	if (!slots->scratch)
		return -ENOENT;
	if (slots->regions.count >= REGIONS_MOST)
		return -ENOSPC;
	/*
	 * Allocates before the mapping: if there is no memory, xtrace dies
	 * here.
	 */
	vec_push(&slots->regions, region);
	slots->regions.count--;
	r = plan_region(slots, space, start, size);
	if (r == 0)
		r = map_at(table, thread, slots->scratch, start, size,
			   protection);
	if (r == 0)
		vec_push(&slots->regions, region);
	else if (plan_region(slots, space, 0, 0) < 0)
		debug("%d: the note of the plan stays", space->pid);
	return r;
}

int
slots_map_at(struct slots *slots, struct table *table, struct thread *thread,
	     addr_t start, uint64_t size)
{
	return map_whole(slots, table, thread, start, size, PROT_EXEC);
}

int
slots_map_data(struct slots *slots, struct table *table, struct thread *thread,
	       addr_t near, uint64_t size, addr_t *ret_start)
{
	addr_t start = 0;
	int r;

	do {
		r = slots_gap(slots, thread->process->pid, near, size, &start);
		if (r < 0)
			return r;
		r = map_whole(slots, table, thread, start, size, PROT_WRITE);
	} while (slots_refused(slots, r));
	if (r == 0)
		*ret_start = start;
	return r;
}

int
slots_map(struct slots *slots, struct table *table, struct thread *thread,
	  addr_t near, uint64_t size)
{
	struct region region = { .size = next_size(slots, size) };
	struct space *space = thread->process->space;
	int r;

	if (!slots->scratch)
		return -ENOENT;
	if (slots->regions.count >= INSIDE_REGIONS)
		return -ENOSPC;
	/*
	 * Allocates before the mapping: if there is no memory, xtrace dies
	 * here.
	 */
	vec_push(&slots->regions, region);
	slots->regions.count--;
	do {
		r = slots_gap(slots, thread->process->pid, near, region.size,
			      &region.start);
		if (r == 0)
			r = plan_region(slots, space, region.start,
					region.size);
		if (r < 0)
			return r;
		r = map_at(table, thread, slots->scratch, region.start,
			   region.size, PROT_EXEC);
	} while (slots_refused(slots, r));
	if (r < 0) {
		if (plan_region(slots, space, 0, 0) < 0)
			debug("%d: the note of the plan stays", space->pid);
		return r;
	}
	debug("%d: slots at %#" PRIxADDR ", %" PRIu64 " bytes",
	      thread->process->pid, region.start, region.size);
	/* Later stubs use the start of this region. */
	slots->scratch = region.start;
	region.used = STUB_ROOM;
	vec_push(&slots->regions, region);
	return 0;
}
