/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where a variable of Ruby may be. Only a walk proves which candidate is right.
 */
#ifndef STACKS_RUBY_PLACES_H
#define STACKS_RUBY_PLACES_H

#include "base/addr.h"
#include "base/vec.h"
#include "stacks/binary.h"

struct reader;

/* Addresses in the program. */
struct ruby_places {
	vec_of(addr_t) machines; /* the pointer to the virtual machine */
};

/* Finds the candidates in the binary that contains the interpreter. `places` is
 * zeroed, and released by the caller. */
void ruby_places_find(struct ruby_places *places, struct binary *binary,
		      struct reader *memory);
void ruby_places_release(struct ruby_places *places);

#endif
