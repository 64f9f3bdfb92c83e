/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Hash tables with open addressing and linear probing, at most half full. A
 * removal from the u64 map leaves a tombstone, a cell with a key and no value.
 * A later map_put() of the same key uses it again, and a rebuild drops it.
 * Strings are never removed.
 *
 * Finding the site of a hit is one map_get(). It costs a multiplication and
 * usually one cell, even if there are many sites.
 */
#include "base/map.h"

#include "base/xmalloc.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM 16u

void
map_init(struct map *map)
{
	*map = (struct map){ 0 };
}

void
map_release(struct map *map)
{
	free(map->cells);
	map_init(map);
}

void
map_clear(struct map *map)
{
	map_release(map);
}

/* The cell that holds key, or the free cell for it. */
static struct map_cell *
find(struct map_cell *cells, size_t room, uint64_t key)
{
	size_t at = map_place(key, room);

	while (cells[at].taken && cells[at].key != key)
		at = (at + 1) & (room - 1);
	return &cells[at];
}

static void
rebuild(struct map *map)
{
	size_t live = 0, room = FIRST_ROOM;
	struct map_cell *cells;

	for (size_t i = 0; i < map->room; i++)
		live += map->cells[i].value != NULL;
	while (room < 4 * (live + 1))
		room *= 2;
	cells = xcalloc(room, sizeof(*cells));
	for (size_t i = 0; i < map->room; i++) {
		if (map->cells[i].value)
			*find(cells, room, map->cells[i].key) = map->cells[i];
	}
	free(map->cells);
	map->cells = cells;
	map->room = room;
	map->count = live;
}

void
map_put(struct map *map, uint64_t key, void *value)
{
	struct map_cell *cell;

	if (2 * (map->count + 1) > map->room)
		rebuild(map);
	cell = find(map->cells, map->room, key);
	if (!cell->taken)
		map->count++;
	*cell = (struct map_cell){ key, value, true };
}

void *
map_remove(struct map *map, uint64_t key)
{
	struct map_cell *cell;
	void *value;

	if (map->room == 0)
		return NULL;
	cell = find(map->cells, map->room, key);
	value = cell->value;
	cell->value = NULL;
	return value;
}

bool
map_next(const struct map *map, size_t *cursor, uint64_t *ret_key,
	 void **ret_value)
{
	while (*cursor < map->room) {
		const struct map_cell *cell = &map->cells[(*cursor)++];

		if (!cell->value)
			continue;
		if (ret_key)
			*ret_key = cell->key;
		if (ret_value)
			*ret_value = cell->value;
		return true;
	}
	return false;
}

struct strmap_cell {
	char *key;
	uint64_t hash;
	void *value;
};

void
strmap_init(struct strmap *map)
{
	*map = (struct strmap){ 0 };
}

void
strmap_release(struct strmap *map)
{
	arena_release(&map->keys);
	free(map->cells);
	strmap_init(map);
}

/* Hashes eight characters with one multiplication, because names are long. */
static uint64_t
hash_of(const char *key)
{
	size_t length = strlen(key);
	uint64_t hash = length, word = 0;

	for (; length >= sizeof(word); length -= sizeof(word)) {
		memcpy(&word, key, sizeof(word));
		key += sizeof(word);
		hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 32;
	}
	word = 0;
	memcpy(&word, key, length);
	hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return hash ^ hash >> 32;
}

static struct strmap_cell *
strfind(struct strmap_cell *cells, size_t room, uint64_t hash, const char *key)
{
	size_t at = map_place(hash, room);

	while (cells[at].key &&
	       (cells[at].hash != hash || strcmp(cells[at].key, key) != 0))
		at = (at + 1) & (room - 1);
	return &cells[at];
}

void *
strmap_get(const struct strmap *map, const char *key)
{
	if (map->room == 0)
		return NULL;
	return strfind(map->cells, map->room, hash_of(key), key)->value;
}

static void
strmap_grow(struct strmap *map)
{
	size_t room = map->room ? map->room * 2 : FIRST_ROOM;
	struct strmap_cell *cells = xcalloc(room, sizeof(*cells));

	for (size_t i = 0; i < map->room; i++) {
		struct strmap_cell *from = &map->cells[i];

		if (from->key)
			*strfind(cells, room, from->hash, from->key) = *from;
	}
	free(map->cells);
	map->cells = cells;
	map->room = room;
}

void **
strmap_place(struct strmap *map, const char *key)
{
	uint64_t hash = hash_of(key);
	struct strmap_cell *cell;

	if (2 * (map->count + 1) > map->room)
		strmap_grow(map);
	cell = strfind(map->cells, map->room, hash, key);
	if (!cell->key) {
		cell->key = arena_strdup(&map->keys, key);
		cell->hash = hash;
		map->count++;
	}
	return &cell->value;
}

void
strmap_put(struct strmap *map, const char *key, void *value)
{
	*strmap_place(map, key) = value;
}

bool
strmap_next(const struct strmap *map, size_t *cursor, const char **ret_key,
	    void **ret_value)
{
	while (*cursor < map->room) {
		const struct strmap_cell *cell = &map->cells[(*cursor)++];

		if (!cell->key)
			continue;
		if (ret_key)
			*ret_key = cell->key;
		if (ret_value)
			*ret_value = cell->value;
		return true;
	}
	return false;
}
