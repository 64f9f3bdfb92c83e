/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search knows the places where prototype files are, in the order in which
 * they are asked about a function:
 *
 *	1. what -F names, in the order given: a file, for every library; a
 *	   directory, for the files in it that bear a library's name
 *	2. the user's directory, ~/.config/xtrace: in the same way, and then
 *	   its xtrace.conf, for every library
 *	3. /etc/xtrace.conf, for every library
 *	4. the installed directory, by the library's name
 *
 * In a directory the library libfoo.so.1.2 has libfoo.so.1.2.conf, then
 * libfoo.so.1.conf, then libfoo.so.conf; libpython3.11.so.1.0 has
 * libpython3.so.conf after its own, and the program python3.11 python3.conf.
 * For a name that has no such file the directory's "aliases" may name one
 * (aliases.h). A file is read when first needed, and once. One that is not
 * there is no error unless -F or an alias names it. What -F names is trusted
 * as named, what is installed as installed, and the rest as found
 * (conf/find/trust.h).
 */
#ifndef CONF_FIND_SEARCH_H
#define CONF_FIND_SEARCH_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/parse/complaint.h"
#include "conf/find/trust.h"

#include <stddef.h>

struct library;
struct proto;
struct search;

/* NULL: there is no such place. The texts need not outlive search_new(). */
struct search_places {
	const char *const *forced; /* -F; may be "FILE:DIR:..." */
	size_t forced_count;
	const char *user_directory;
	const char *system_file;
	const char *installed_directory;
};

/* Reads the files for every library; what is wrong is in the complaints. */
struct search *search_new(const struct search_places *places);
void search_free(struct search *search);

/* -errno with a sentence for the first file that -F names and that could not
 * be read. */
must_check int search_check_forced(struct search *search, struct err *err);

/*
 * The prototype of function name, defined in the library or program soname
 * (NULL: unknown, only the files for every library are asked), or NULL.
 * *ret_library, which may be NULL, is the file that has it.
 */
const struct proto *search_proto(struct search *search, const char *name,
				 const char *soname,
				 const struct library **ret_library);

/* The i-th name in the aliases of directory; NULL behind the last. */
const char *search_alias(struct search *search, const char *directory,
			 size_t i);

/*
 * The file at path, read once, as all are. If it cannot be read, -errno with a
 * sentence, and no complaint.
 */
must_check int search_file(struct search *search, const char *path,
			   enum trust trust, const struct library **ret_library,
			   struct err *err);

/* All so far, owned by the search; more come as files are read. */
const struct complaints *search_complaints(const struct search *search);

/*
 * --show-prototype NAME or NAME@LIBRARY: adds a line "FILE:LINE: PROTOTYPE"
 * for the one that applies, or, where that depends on a library not named,
 * one line for each. -ENOENT with a sentence when there is none.
 */
must_check int search_show(struct search *search, const char *name,
			   struct str *to, struct err *err);

/*
 * --check-config FILE: adds all that is wrong with the file and what it
 * imports, or if it is called "aliases" with the files that it names, each with
 * its line and a caret, and returns how many there are.
 */
size_t search_check(struct search *search, const char *path, struct str *to);

#endif
