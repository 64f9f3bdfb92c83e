/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The values that were bound to the parameters of one execution, in their
 * order. They are copied, because their packet is freed before the answer
 * comes. If there are many values, only the first are kept; of a long value,
 * only its first bytes.
 */
#ifndef PROTOCOLS_BOUND_H
#define PROTOCOLS_BOUND_H

#include "base/arena.h"
#include "base/attr.h"
#include "base/vec.h"
#include "protocols/query.h"

enum { BOUND_MOST = 1024, BOUND_BYTES_MOST = 16 << 10 };

struct bound {
	struct arena arena;
	vec_of(struct query_value) values;
	bool cut; /* more values were bound than are kept */
};

struct bound *bound_new(void);
/* bound may be NULL. */
void bound_free(struct bound *bound);

void bound_add(struct bound *bound, enum query_value_kind kind,
	       const void *bytes, size_t length);
/* Adds a text, or a value of this type in PostgreSQL's binary format. */
void bound_add_typed(struct bound *bound, uint32_t type, const void *bytes,
		     size_t length);
/* Adds a number or a time, as a value of the kind QUERY_VALUE_PLAIN. */
void bound_add_plain(struct bound *bound, const char *format, ...)
	printf_like(2, 3);

#endif
