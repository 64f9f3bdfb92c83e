/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library is what one prototype file says: prototypes, types and constants
 * by name, in one arena, unchanged once it is parsed. It may import others,
 * whose names it then knows; those must outlive it.
 */
#ifndef CONF_MODEL_LIBRARY_H
#define CONF_MODEL_LIBRARY_H

#include "base/attr.h"
#include "conf/model/proto.h"
#include "conf/model/type.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct library;

void library_free(struct library *library);

const char *library_file(const struct library *library);

/* NULL: says nothing about it. Imports are asked after the library itself. */
const struct proto *library_proto(const struct library *library,
				  const char *name);
/* "open_flags", "struct stat". Imports and built-in types are asked too. */
const struct type *library_type(const struct library *library,
				const char *name);
/* A constant of an enum or flags; false when unknown, or not the same in
 * all the places that name it. */
bool library_constant(const struct library *library, const char *name,
		      int64_t *ret_value);

/* Its own prototypes in the order written, without those overridden by a
 * later one of the same name; NULL behind the last. */
const struct proto *library_proto_at(const struct library *library, size_t i);
/* Its own named types in the order written; NULL behind the last. */
const struct type *library_type_at(const struct library *library, size_t i,
				   const char **ret_name);

#endif
