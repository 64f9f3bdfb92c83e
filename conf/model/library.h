/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library is the content of one prototype file: prototypes, types and
 * constants by name. They are in one arena and do not change after parsing,
 * which may happen when a name is looked up (conf/parse/parse.h). A library may
 * import others, and then knows their names too. The others must exist as long
 * as it does.
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

/* Finds a prototype by its name, in the library first, then in its imports.
 * NULL if there is none. */
const struct proto *library_proto(const struct library *library,
				  const char *name);
/* Finds "open_flags" or "struct stat", also in imports and built-in types. */
const struct type *library_type(const struct library *library,
				const char *name);
/* Finds a constant of an enum or flags. False if it is unknown, or if two
 * definitions differ. */
bool library_constant(const struct library *library, const char *name,
		      int64_t *ret_value);

/* True if library_proto() would find a prototype of this name, which need not
 * be parsed yet. */
bool library_has_proto(const struct library *library, const char *name);

/* Parses all items that are not parsed yet, and reads all imports. Then the
 * lists of library_proto_at() and library_probe_at() are complete. */
void library_parse_all(const struct library *library);

/* The library's own prototypes in the order of the file. A prototype that a
 * later one of the same name replaced is left out. NULL after the last. */
const struct proto *library_proto_at(const struct library *library, size_t i);

#endif
