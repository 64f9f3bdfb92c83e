/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Parses the text of a prototype file into a library. */
#ifndef CONF_PARSE_PARSE_H
#define CONF_PARSE_PARSE_H

#include "base/err.h"
#include "conf/model/library.h"
#include "conf/parse/complaint.h"

#include <stdbool.h>
#include <stddef.h>

/* Finds the file of import "NAME". If the importer is NULL, the file may not
 * import other files, and is for programs of xtrace's own kind. */
struct importer {
	/* The size of an address in the programs for which the files are
	 * parsed; 0: as in xtrace itself. */
	unsigned word;
	/* from is the file that imports. Fails with -ENOENT and a sentence, or
	 * -ELOOP. */
	int (*import)(struct importer *importer, const char *name,
		      const char *from, const struct library **ret_library,
		      struct err *err);
};

/*
 * Parses text; file is its name. Mistakes are added to complaints, and the rest
 * is in the library. The result is never NULL.
 */
struct library *library_parse(const char *file, const char *text, size_t length,
			      struct importer *importer,
			      struct complaints *complaints);
/*
 * As library_parse(), but most items are parsed later: when a name is looked up
 * that the item may define. Their mistakes are complained about then; if hushed
 * is true, the complaints do not show the text of the file. importer and
 * complaints must exist as long as the library, text need not. The order of its
 * lists (library_proto_at()) is that of the parsing.
 */
struct library *library_parse_later(const char *file, const char *text,
				    size_t length, struct importer *importer,
				    struct complaints *complaints, bool hushed);

#endif
