/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A search knows the places of prototype files, in the order in which they are
 * searched for a function:
 *
 *	1. the arguments of -F, in their order: a file, for every library; a
 *	   directory, for its files that have a library's name
 *	2. the user's directory, ~/.config/xtrace: first its files that have a
 *	   library's name, then its xtrace.conf, for every library
 *	3. /etc/xtrace.conf, for every library
 *	4. the installed directory, by the library's name
 *
 * For 32-bit programs, the folder "32" of a directory is searched before the
 * directory itself.
 *
 * In a directory, the library libfoo.so.1.2 has libfoo.so.1.2.conf, then
 * libfoo.so.1.conf, then libfoo.so.conf. libpython3.11.so.1.0 has
 * libpython3.so.conf after its own files, and the program python3.11 has
 * python3.conf. If no such file exists, the directory's "aliases" may name one
 * (aliases.h). A file is read once, when it is first needed. A missing file is
 * an error only if -F or an alias names it. Files from -F have the trust
 * "named", installed files "installed", and the others "found"
 * (conf/find/trust.h). A file for every library is not for system calls: these
 * are searched as functions of the library SEARCH_SYSTEM_CALLS.
 */
#ifndef CONF_FIND_SEARCH_H
#define CONF_FIND_SEARCH_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/parse/complaint.h"
#include "conf/find/trust.h"

#include <stdbool.h>
#include <stddef.h>

struct library;
struct proto;
struct search;

/* The places of prototype files. A place that is NULL is not searched.
 * search_new() copies the strings. */
struct search_places {
	const char *const *forced; /* -F; may be "FILE:DIR:..." */
	size_t forced_count;
	const char *user_directory;
	const char *system_file;
	const char *installed_directory;
	/* An item of an installed file is parsed when a name is looked up that
	 * it may define. Its mistakes are among the complaints only then. */
	bool parse_later;
	/* The size of an address in the programs that are traced; 0: as in
	 * xtrace itself. */
	unsigned word;
	/* true: "typedef a = int;" twice is a mistake (struct complaints) */
	bool complain_repeated;
};

/* Makes a search, and reads the files that apply to every library. Mistakes in
 * them are in the complaints. */
struct search *search_new(const struct search_places *places);
void search_free(struct search *search);

/* Returns -errno with a sentence if a file that -F names could not be read; the
 * first such file counts. */
must_check int search_check_forced(struct search *search, struct err *err);

/*
 * The prototype of function name, which the library or program soname defines,
 * or NULL. If soname is NULL, only the files for every library are searched.
 * *ret_library, which may be NULL, is the file with the prototype.
 */
const struct proto *search_proto(struct search *search, const char *name,
				 const char *soname,
				 const struct library **ret_library);
/* True if search_proto() would find a prototype. Reads files until one has
 * it. */
bool search_has(struct search *search, const char *name, const char *soname);

/* The i-th name in the aliases of directory; NULL after the last. */
const char *search_alias(struct search *search, const char *directory,
			 size_t i);

/*
 * The file at path, read once. If it cannot be read, returns -errno with a
 * sentence, and adds no complaint.
 */
must_check int search_file(struct search *search, const char *path,
			   enum trust trust, const struct library **ret_library,
			   struct err *err);

/* The files that have been read, for a *cursor that starts at 0; NULL after the
 * last. */
const struct library *search_next_read(const struct search *search,
				       size_t *cursor);

/* All complaints so far, owned by the search. There will be more when more
 * files are read. */
const struct complaints *search_complaints(const struct search *search);

/*
 * --show-prototype NAME or NAME@LIBRARY: adds a line "FILE:LINE: PROTOTYPE" for
 * the prototype that applies. If no library is given and the prototype depends
 * on it, adds one line for each library. Returns -ENOENT with a sentence if
 * there is no prototype.
 */
must_check int search_show(struct search *search, const char *name,
			   struct str *to, struct err *err);

/*
 * --check-config FILE: adds all mistakes in the file and its imports, each with
 * its line and a caret, and returns their number. If the file is called
 * "aliases", the files that it names are checked, too.
 */
size_t search_check(struct search *search, const char *path, struct str *to);

#endif
