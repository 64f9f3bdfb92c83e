/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Where two variables of Ruby may be. Only a walk proves which candidate is
 * right. */
#ifndef STACKS_RUBY_PLACES_H
#define STACKS_RUBY_PLACES_H

#include "base/addr.h"
#include "base/vec.h"
#include "stacks/binary.h"

struct reader;
struct ruby_names;

/* Addresses in the program. */
struct ruby_places {
	vec_of(addr_t) machines; /* the pointer to the virtual machine */
};

/* Finds the candidates in the binary that contains the interpreter. Those for
 * the table of symbols are added to `names`. `places` is zeroed, and released
 * by the caller. */
void ruby_places_find(struct ruby_places *places, struct ruby_names *names,
		      struct binary *binary, struct reader *memory);
void ruby_places_release(struct ruby_places *places);

#endif
