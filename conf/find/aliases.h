/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A table of aliases gives a prototype file more names. It is the file
 * "aliases" of a directory with prototype files:
 *
 *	# before glibc 2.34
 *	libpthread.so	libc.so.6
 *	php8		php-engine
 *
 * A line contains the name of a library or a program, and the name of a file. A
 * '#' begins a comment.
 */
#ifndef CONF_FIND_ALIASES_H
#define CONF_FIND_ALIASES_H

#include "base/map.h"
#include "base/vec.h"
#include "conf/parse/complaint.h"

#include <stdbool.h>
#include <stddef.h>

#define ALIASES_FILE "aliases"

struct alias {
	char *name;
	char *file;
	char *source; /* text of the line */
	unsigned line;
	unsigned column; /* column of the file's name in the line */
	bool missed;	 /* the missing file was already complained about */
};

struct aliases {
	vec_of(struct alias *) list; /* in the order of the lines */
	struct strmap by_name;
	bool hushed; /* the text of the table is not shown, see trust.h */
};

void aliases_init(struct aliases *aliases);
void aliases_release(struct aliases *aliases);

/* Adds the aliases in text; path is the file's name in complaints. */
void aliases_parse(struct aliases *aliases, const char *path, const char *text,
		   size_t length, struct complaints *complaints);

/* Finds the alias of a library or program; NULL if there is none. */
struct alias *aliases_find(const struct aliases *aliases, const char *name);

/* Complains once that the alias's file does not exist. */
void alias_misses(struct alias *alias, const char *path,
		  struct complaints *complaints);

#endif
