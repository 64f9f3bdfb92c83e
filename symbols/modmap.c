/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A module covers its loadable segments, from the first page of the lowest to
 * the last page of the highest. The loader reserves all of this range.
 * Therefore the modules of a space do not overlap, and a binary search finds
 * the module of an address.
 *
 * Serial numbers are counted for the whole run, not per map, because a forked
 * space has a copy of the map, and a module must not be taken for an earlier
 * module at the same address.
 */
#include "symbols/modmap.h"

#include "base/xmalloc.h"
#include "symbols/symtab.h"

static unsigned last_serial;

void
modmap_init(struct modmap *map)
{
	*map = (struct modmap){ 0 };
}

static void
free_module(struct module *module)
{
	image_unref(module->image);
	free(module->linked_as);
	free(module);
}

void
modmap_release(struct modmap *map)
{
	for (size_t i = 0; i < map->modules.count; i++)
		free_module(map->modules.at[i]);
	vec_release(&map->modules);
}

static void
measure(struct module *module)
{
	size_t count;
	const struct segment *segments = image_segments(module->image, &count);
	addr_t low = UINT64_MAX, high = 0;

	for (size_t i = 0; i < count; i++) {
		addr_t end = segments[i].address + segments[i].size;

		low = segments[i].address < low ? segments[i].address : low;
		high = end > high ? end : high;
	}
	low = count ? addr_page(low) : 0;
	high = addr_whole_pages(high);
	module->start = module->bias + low;
	module->end = module->bias + high;
}

/* The number of modules that start at or before address. */
static size_t
modules_until(const struct modmap *map, addr_t address)
{
	size_t low = 0, high = map->modules.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (map->modules.at[middle]->start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void
insert(struct modmap *map, struct module *module)
{
	const size_t place = modules_until(map, module->start);

	map->changes++;
	vec_push(&map->modules, module);
	memmove(map->modules.at + place + 1, map->modules.at + place,
		(map->modules.count - 1 - place) * sizeof(struct module *));
	map->modules.at[place] = module;
}

struct module *
modmap_add(struct modmap *map, struct image *image, addr_t bias)
{
	struct module *module = xcalloc(1, sizeof(*module));

	module->image = image_ref(image);
	module->bias = bias;
	module->serial = ++last_serial;
	if (image_dynamic(image))
		module->dynamic = bias + image_dynamic(image);
	measure(module);
	insert(map, module);
	return module;
}

void
modmap_remove(struct modmap *map, struct module *module)
{
	for (size_t i = 0; i < map->modules.count; i++) {
		if (map->modules.at[i] != module)
			continue;
		map->changes++;
		vec_remove(&map->modules, i);
		free_module(module);
		return;
	}
}

void
modmap_copy(struct modmap *to, const struct modmap *from)
{
	modmap_init(to);
	to->changes = from->changes;
	for (size_t i = 0; i < from->modules.count; i++) {
		struct module *copy = xmalloc(sizeof(*copy));

		*copy = *from->modules.at[i];
		copy->user = NULL;
		if (copy->linked_as)
			copy->linked_as = xstrdup(copy->linked_as);
		image_ref(copy->image);
		vec_push(&to->modules, copy);
	}
}

struct module *
modmap_covering(const struct modmap *map, addr_t address)
{
	const size_t until = modules_until(map, address);

	if (!until || address >= map->modules.at[until - 1]->end)
		return NULL;
	return map->modules.at[until - 1];
}
