/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A map from a 64-bit key (an address, a thread id) to a pointer, and one
 * from a string. Neither owns what it points at; the second copies its keys.
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
/* Fibonacci hashing: the high bits of key * 2^64 / phi. */
static inline size_t
map_place(uint64_t key, size_t room)
{
	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (room - 1);
}

/* NULL where the key is not in the map. Many times a stop: here, not called. */
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

/* Sets or replaces; value is not NULL. */
void map_put(struct map *map, uint64_t key, void *value);
/* What was there, or NULL. */
void *map_remove(struct map *map, uint64_t key);
/*
 * Walks in no particular order: start with *cursor = 0, true while there is
 * one more. The map must not grow meanwhile; removing what came is allowed.
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
/* Where the value of key is kept, NULL at first: to be filled before the next
 * call for this map. */
void **strmap_place(struct strmap *map, const char *key);
bool strmap_next(const struct strmap *map, size_t *cursor, const char **ret_key,
		 void **ret_value);

#endif
