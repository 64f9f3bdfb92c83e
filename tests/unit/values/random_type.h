/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Random C types, both as conf/ has them and as C text; random values of
 * them; and whether two values are the same. The same seed gives the same.
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
	bool wide; /* __int128 and __float128 may be among them */
};

void random_init(struct random *random, uint64_t seed);
void random_release(struct random *random);

/* From 0 to below. */
unsigned random_below(struct random *random, unsigned below);

/* A type that can be a parameter; its name is its C spelling. */
const struct type *random_type(struct random *random);

/* A value of type into bytes, which are zero. */
void random_fill(struct random *random, const struct type *type,
		 unsigned char *bytes);
/* All scalars of value are those in bytes. */
bool same_value(const struct value *value, const unsigned char *bytes);

#endif
