/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of formats as data: the rows of output/formats.def, how a user asks
 * for each, and which of them a file name means.
 */
#ifndef TRACER_OPTIONS_FORMAT_TABLE_H
#define TRACER_OPTIONS_FORMAT_TABLE_H

#include "base/attr.h"
#include "tracer/options/option_table.h"

#include <stdbool.h>

struct look;
struct out;
struct sink;

enum format_name {
#define FORMAT(name, option, word, extension, stacks, constructor, help) \
	FORMAT_##name,
#include "output/formats.def"
	FORMATS
};

struct format_row {
	enum option_name option; /* that asks for it */
	const char *word;      /* that begins the option's argument, or NULL */
	const char *extension; /* of its file, or NULL: any */
	bool stacks;	       /* adds up whole stacks */
	struct sink *(*make)(const struct look *look, struct out *out);
};

extern const struct format_row format_rows[FORMATS];

/* The first format that the option asks for; FORMATS if it asks for none. */
enum format_name format_of_option(enum option_name option);

/* That of the option whose extension the name ends in, behind at least one
 * character; -EINVAL if there is none. */
must_check int format_of_file(enum option_name option, const char *path,
			      enum format_name *ret_format);

/* "--json", "--format chrome"; with_file: "--json=FILE", "--format
 * chrome:FILE". To be freed. */
char *format_spelling(enum format_name format, bool with_file);

#endif
