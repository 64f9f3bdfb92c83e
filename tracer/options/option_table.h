/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of options as data, and what can be made from it alone: getopt's
 * tables, the help, and a guess which option a wrong one was meant to be.
 */
#ifndef TRACER_OPTIONS_OPTION_TABLE_H
#define TRACER_OPTIONS_OPTION_TABLE_H

#include "base/attr.h"
#include "base/err.h"

#include <stddef.h>

struct option; /* getopt_long()'s struct */

enum option_argument {
	OPTION_ARGUMENT_NONE,
	OPTION_ARGUMENT_NEEDED,
	OPTION_ARGUMENT_MAYBE
};

enum option_group {
	OPTION_GROUP_WHAT,
	OPTION_GROUP_WHEN,
	OPTION_GROUP_LINE,
	OPTION_GROUP_WHERE,
	OPTION_GROUP_ABOUT,
	OPTION_GROUPS
};

enum option_name {
#define OPTION(name, letter, word, argument, arg, group, help) OPTION_##name,
#include "tracer/options/options.def"
#undef OPTION
	OPTIONS
};

struct option_row {
	char letter; /* 0: none */
	const char *word;
	enum option_argument argument;
	const char *arg; /* "FILE", or the words to choose: "auto|always" */
	enum option_group group;
	const char *help;
};

extern const struct option_row option_rows[OPTIONS];

/* The tables for getopt_long(); shorts has room for 3 * OPTIONS + 3 bytes. */
#define OPTION_SHORTS_ROOM (3 * OPTIONS + 3)
void option_getopt_tables(struct option *longs, char *shorts);

/* The option that getopt_long() returned, or OPTIONS if it is none. */
enum option_name option_of_code(int code);
/* Was the option that getopt_long() returned written as a word (--sort)? */
int option_code_is_long(int code);

/* getopt_long() did not know a long option: returns the code of the option that
 * had this name before, or '?'. The old names are no abbreviations of others,
 * and others are no abbreviations of them. */
int option_code_of_old(const char *word);

/*
 * Makes the message if getopt_long() returned '?' or ':'; given is optopt.
 * Returns -EINVAL. word is the argument that was read.
 */
int option_bad(int code, int given, const char *word, struct err *err);

/* The text of --help; the caller frees it. */
char *option_help(void);

#endif
