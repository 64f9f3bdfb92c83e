/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The strings of Python (str) by content: those in the pools, and longer ones,
 * which malloc() has. A longer one is found if an object in a pool refers to
 * it, or a long list, dict, set or tuple.
 */
#ifndef HEAPS_PYTHON_TEXT_H
#define HEAPS_PYTHON_TEXT_H

#include "base/addr.h"
#include "base/map.h"
#include "base/reader.h"
#include "base/vec.h"
#include "heaps/census_strings.h"
#include "stacks/binary.h"

struct python_range {
	addr_t from, end;
};

struct python_texts {
	struct reader *memory;
	struct census_strings *strings;
	addr_t text_type, tuple_type; /* addresses of these types */
	addr_t set_type, frozenset_type, float_type;
	vec_of(struct python_range) arenas;
	vec_of(struct python_range) waiting; /* items that are not read yet */
	struct map seen; /* addresses outside of the arenas */
	uint64_t bytes;	 /* of all items that were read, or will be */
	bool sorted;	 /* the arenas are sorted by address */
};

void python_texts_init(struct python_texts *texts, struct binary *binary,
		       struct reader *memory, struct census_strings *strings);
void python_texts_release(struct python_texts *texts);

/* Objects between these addresses are in a pool. Add the arenas in any order,
 * before all else. */
void python_texts_arena(struct python_texts *texts, addr_t from, addr_t end);

/* Adds the str that is in a block of a pool. */
void python_texts_add(struct python_texts *texts, const uint8_t *object,
		      unsigned size);

/* Looks for longer strings to which a block of a pool refers. flags: those of
 * the type of the object that is at the beginning of the block, or 0. */
void python_texts_look(struct python_texts *texts, const uint8_t *block,
		       unsigned size, const uint8_t *object, uint64_t flags);

#endif
