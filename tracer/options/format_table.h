/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The table of formats as data: the rows of output/formats.def, the option that
 * selects each, and the format that a file name selects.
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
	enum option_name option; /* the option that selects the format */
	const char *word;	 /* how the option's argument begins, or NULL */
	const char *extension; /* extension of the file's name, or NULL: any */
	bool stacks;	       /* sums whole stacks */
	struct sink *(*make)(const struct look *look, struct out *out);
};

/* Where a format is written: a file, or NULL if it takes the place of the
 * trace. */
struct destination {
	bool wanted;
	/* `file` is an address of the network, not a file */
	bool network;
	const char *file;
};

extern const struct format_row format_rows[FORMATS];

/* The first format that the option selects; FORMATS if it selects none. */
enum format_name format_of_option(enum option_name option);

/* Returns the format of this option with the extension in which the file name
 * ends, behind at least one character; -EINVAL if no format has it. */
must_check int format_of_file(enum option_name option, const char *path,
			      enum format_name *ret_format);

/* "--json", "--format chrome"; with_file: "--json=FILE", "--format
 * chrome:FILE". The caller frees it. */
char *format_spelling(enum format_name format, bool with_file);

#endif
