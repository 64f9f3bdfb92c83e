/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Blocks of Python's pools that are no objects, and the objects to which they
 * belong: the items of a list, the table of a dict or a set, the bytes of a
 * bytearray, the characters of an object of a class derived from str, and the
 * attributes of an object.
 */
#ifndef HEAPS_PYTHON_PARTS_H
#define HEAPS_PYTHON_PARTS_H

#include "base/addr.h"
#include "base/vec.h"
#include "heaps/census.h"
#include "stacks/binary.h"

/* A block that is no object. */
struct python_block {
	addr_t at;
	unsigned size;
	bool given; /* its owner is known */
};

/* An object has a block there. There are about as many claims as objects. */
struct python_claim {
	addr_t at;
	struct census_row *row; /* of the object */
	unsigned size;		/* of the block, or 0: unknown */
	bool inside; /* the address is behind the beginning of the block */
};

struct python_parts {
	addr_t set_type, frozenset_type, bytearray_type;
	vec_of(struct python_block) blocks;
	vec_of(struct python_claim) claims;
};

/* What is known of an object's type. */
struct python_kind {
	uint64_t flags; /* of the type */
	bool set, bytearray;
	struct census_row *row;
};

void python_parts_init(struct python_parts *parts, struct binary *binary);
void python_parts_release(struct python_parts *parts);

/* Is the type at that address, from which another one may be derived, one of
 * the types whose objects have blocks that the flags do not tell? Then sets
 * ret_kind->set or ret_kind->bytearray. */
void python_parts_base(const struct python_parts *parts, addr_t type,
		       struct python_kind *ret_kind);

void python_parts_add_block(struct python_parts *parts, addr_t at,
			    unsigned size);

/* Notes the blocks of an object, of which `left` bytes are given. header: the
 * two words before the header of the collector, if the type has them, or
 * NULL. */
void python_parts_claim(struct python_parts *parts,
			const struct python_kind *kind, const uint8_t *object,
			size_t left, const uint8_t *header);
/* Moves the bytes of the blocks whose owner was found from the row of all
 * blocks to the rows of the owners. */
void python_parts_give(struct python_parts *parts, struct census *census,
		       struct census_row *all);

#endif
