/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The text of a prototype file becomes a library. */
#ifndef CONF_PARSE_PARSE_H
#define CONF_PARSE_PARSE_H

#include "base/err.h"
#include "conf/model/library.h"
#include "conf/parse/complaint.h"

#include <stddef.h>

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

#endif
