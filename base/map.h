/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map from a 64-bit key (an address, a thread id) to a pointer, and a map
 * from a string to a pointer. Neither owns what it points at. The second copies
 * its keys.
 */
#ifndef BASE_MAP_H
#define BASE_MAP_H

#include "base/arena.h"
#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct map_cell {
	uint64_t key;
	void *value;
	bool taken;
};

struct map {
	struct map_cell *cells;
	size_t count;
	size_t room;
};

void map_init(struct map *map);
void map_release(struct map *map);
void map_clear(struct map *map);
/* The hash of a key (Fibonacci hashing): the high bits of key * 2^64 / phi. */
static inline size_t
map_place(uint64_t key, size_t room)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (room - 1);
}

/* The value of the key; NULL if the key is not in the map. Inline because it is
 * called several times per stop. */
static inline void *
map_get(const struct map *map, uint64_t key)
{
	const struct map_cell *cells = map->cells;
	size_t at = map_place(key, map->room);

	if (map->room == 0)
		return NULL;
	while (cells[at].taken && cells[at].key != key)
		at = (at + 1) & (map->room - 1);
	return cells[at].value;
}

/* Sets or replaces the value of the key. The value is not NULL. */
void map_put(struct map *map, uint64_t key, void *value);
/* Removes the key. Returns the value that it had, or NULL. */
void *map_remove(struct map *map, uint64_t key);
/*
 * Walks through the map in no particular order. Start with *cursor = 0; the
 * result is true while there is one more. During the walk the map must not
 * grow; the key that was just returned may be removed.
 */
bool map_next(const struct map *map, size_t *cursor, uint64_t *ret_key,
	      void **ret_value);

struct strmap_cell;

struct strmap {
	struct strmap_cell *cells;
	struct arena keys;
	size_t count;
	size_t room;
};

void strmap_init(struct strmap *map);
void strmap_release(struct strmap *map);
void *strmap_get(const struct strmap *map, const char *key);
void strmap_put(struct strmap *map, const char *key, void *value);
/* Returns the place of key's value, which is NULL at first. The caller fills it
 * before the next call for this map. */
void **strmap_place(struct strmap *map, const char *key);
bool strmap_next(const struct strmap *map, size_t *cursor, const char **ret_key,
		 void **ret_value);

#endif
