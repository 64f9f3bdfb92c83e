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
 * A file is read when first needed, and once. One that is not there is no
 * error unless -F names it.
 */
#ifndef CONF_SEARCH_H
#define CONF_SEARCH_H

#include "base/attr.h"
#include "base/err.h"
#include "base/str.h"
#include "conf/complaint.h"

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

/*
 * The prototype of function name, defined in the library or program soname
 * (NULL: unknown, only the files for every library are asked), or NULL.
 * *ret_library, which may be NULL, is the file that has it.
 */
const struct proto *search_proto(struct search *search, const char *name,
				 const char *soname,
				 const struct library **ret_library);

/* The file at path, or NULL; read once, as all are. */
const struct library *search_file(struct search *search, const char *path);

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
 * imports, each with its line and a caret, and returns how many there are.
 */
size_t search_check(struct search *search, const char *path, struct str *to);

#endif
