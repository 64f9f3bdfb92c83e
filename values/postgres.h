/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A value in PostgreSQL's binary format, as the functions *_send of its source
 * write it. The type is told by its OID, a number of pg_type.dat.
 */
#ifndef VALUES_POSTGRES_H
#define VALUES_POSTGRES_H

#include "base/attr.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct str;

/* Longer values are shown as bytes. */
#define POSTGRES_MOST 1024

/* True if the value is text behind a head of *ret_head bytes. */
must_check bool postgres_is_text(uint64_t type, size_t *ret_head);

/* Adds the value as PostgreSQL would print it, but an array as
 * [1, NULL, "text"]. Returns false, and adds nothing, if the type is not known
 * or the bytes are not of the type. */
must_check bool postgres_add(struct str *to, uint64_t type, const void *bytes,
			     size_t length);

#endif
