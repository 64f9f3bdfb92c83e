/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random C types, as conf/ has them and as C text; random values of these
 * types; and a comparison of two values. The same seed gives the same types and
 * values.
 */
#ifndef TESTS_UNIT_VALUES_RANDOM_TYPE_H
#define TESTS_UNIT_VALUES_RANDOM_TYPE_H

#include "base/arena.h"
#include "base/str.h"
#include "conf/model/type.h"
#include "values/value.h"

#include <stdbool.h>
#include <stdint.h>

struct random {
	uint64_t state;
	struct arena arena;
	struct str definitions; /* the structs so far, as C text */
	unsigned structs;
	bool wide; /* __int128 and __float128 are allowed */
};

void random_init(struct random *random, uint64_t seed);
void random_release(struct random *random);

/* A number from 0 to below - 1. */
unsigned random_below(struct random *random, unsigned below);

/* A type that can be a parameter; its name is its spelling in C. */
const struct type *random_type(struct random *random);

/* Writes a value of type to bytes, which are zeroed. */
void random_fill(struct random *random, const struct type *type,
		 unsigned char *bytes);
/* True if all scalars of value equal those in bytes. */
bool same_value(const struct value *value, const unsigned char *bytes);

#endif
