/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A library is what one prototype file says: prototypes, types and constants
 * by name, in one arena, unchanged once it is parsed. It may import others,
 * whose names it then knows; those must outlive it.
 */
#ifndef CONF_LIBRARY_H
#define CONF_LIBRARY_H

#include "base/attr.h"
#include "base/err.h"
#include "conf/complaint.h"
#include "conf/proto.h"
#include "conf/type.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct library;

/* How an import "NAME" is found; NULL where a file may not import. */
struct importer {
	/* from is the file that imports. -ENOENT with a sentence, or -ELOOP. */
	int (*import)(struct importer *importer, const char *name,
		      const char *from, const struct library **ret_library,
		      struct err *err);
};

/*
 * Reads text, which file is the name of. What is wrong is added to
 * complaints, what is right is in the library: there is always one.
 */
struct library *library_parse(const char *file, const char *text, size_t length,
			      struct importer *importer,
			      struct complaints *complaints);
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
