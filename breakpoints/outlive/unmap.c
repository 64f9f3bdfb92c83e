/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * An injected call takes some 30 us, and a program whose sites have jumps may
 * have 1000 regions: each springboard is a page of its own, far from the others
 * (breakpoints/boards). So ranges are joined:
 *
 *	region region  .  .  region    mapping    region
 *	|<--- joined --->|   |<---->|             |<---->|
 *	|<- joined in a newborn  -->|
 *
 * The addresses between two regions may be unmapped, too, only if nothing is
 * mapped there and nothing can be mapped there meanwhile. Other threads, also
 * threads that no tracer sees, map memory at any time, but a newborn process
 * has only one thread, which is stopped.
 *
 * To read the mappings of a process takes about as long as some injected calls.
 */
#include "breakpoints/outlive/unmap.h"

#include "process/maps.h"
#include "process/remote.h"
#include "process/space.h"

#include <sys/syscall.h>

/* The mappings are read if there are more ranges than this. */
#define FEW 16

struct mapped_range {
	addr_t start, end;
};

struct mapped_ranges {
	vec_of(struct mapped_range) list;
};

static int
compare(const void *a, const void *b)
{
	const struct mapped_range *one = a, *other = b;

	return (one->start > other->start) - (one->start < other->start);
}

static void
collect(const struct slots *slots, addr_t except, struct mapped_ranges *ranges)
{
	for (size_t i = 0; i < slots->regions.count; i++) {
		const struct region *region = &slots->regions.at[i];
		const struct mapped_range range = {
			region->start, region->start + region->size
		};

		if (!region->before && region->start != except)
			vec_push(&ranges->list, range);
	}
	vec_sort(&ranges->list, compare);
}

/* Is nothing mapped from start to end? *at is the index of a mapping before
 * which there is none that ends after start. */
static bool
is_free(const struct maps *maps, size_t *at, addr_t start, addr_t end)
{
	while (*at < maps->mappings.count &&
	       maps->mappings.at[*at].end <= start)
		(*at)++;
	return *at == maps->mappings.count ||
	       maps->mappings.at[*at].start >= end;
}

/* Joins neighbours, and if there are maps, also ranges between which nothing is
 * mapped. */
static void
join(struct mapped_ranges *ranges, const struct maps *maps)
{
	struct mapped_range *list = ranges->list.at;
	size_t last = 0, at = 0;

	for (size_t i = 1; i < ranges->list.count; i++) {
		if (list[i].start == list[last].end ||
		    (maps && is_free(maps, &at, list[last].end, list[i].start)))
			list[last].end = list[i].end;
		else
			list[++last] = list[i];
	}
	if (ranges->list.count)
		ranges->list.count = last + 1;
}

static void
join_free(struct mapped_ranges *ranges, pid_t pid)
{
	struct maps maps;

	maps_init(&maps);
	if (maps_read(&maps, pid) == 0)
		join(ranges, &maps);
	maps_release(&maps);
}

static int
unmap(struct table *table, struct thread *thread, addr_t scratch,
      const struct mapped_range *ranges, size_t count)
{
	struct stub_call calls[STUB_CALLS];
	int64_t results[STUB_CALLS];
	int r;

	for (size_t i = 0; i < count; i++)
		calls[i] = (struct stub_call){
			.number = SYS_munmap,
			.arguments = { ranges[i].start,
				       ranges[i].end - ranges[i].start },
		};
	r = remote_run(table, thread, scratch, calls, count, results);
	for (size_t i = 0; i < count && r == 0; i++)
		r = (int)results[i];
	return r;
}

int
unmap_range(struct table *table, struct thread *thread, addr_t scratch,
	    addr_t start, uint64_t size)
{
	const struct mapped_range range = { start, start + size };

	return unmap(table, thread, scratch, &range, 1);
}

int
unmap_regions(const struct slots *slots, addr_t except, struct table *table,
	      struct thread *thread, addr_t scratch, bool newborn)
{
	struct mapped_ranges ranges = { 0 };
	int r = 0;

	collect(slots, except, &ranges);
	join(&ranges, NULL);
	if (newborn && ranges.list.count > FEW)
		join_free(&ranges, thread->process->pid);
	for (size_t i = 0; i < ranges.list.count && r == 0; i += STUB_CALLS) {
		size_t count = ranges.list.count - i;

		r = unmap(table, thread, scratch, &ranges.list.at[i],
			  count < STUB_CALLS ? count : STUB_CALLS);
	}
	vec_release(&ranges.list);
	return r;
}
