/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * output/formats.def is read here for its rows, in the header for their names,
 * in output/sink.h for the constructors, and in option_table.c for the words of
 * --format. No other source file lists the formats.
 */
#include "tracer/options/format_table.h"

#include "base/xmalloc.h"
#include "output/sink.h"

#include <errno.h>
#include <string.h>

const struct format_row format_rows[FORMATS] = {
#define FORMAT(name, option, word, extension, stacks, constructor, help) \
	{ OPTION_##option, word, extension, stacks, constructor },
#include "output/formats.def"
};

enum format_name
format_of_option(enum option_name option)
{
	int i = 0;

	while (i < FORMATS && format_rows[i].option != option)
		i++;
	return (enum format_name)i;
}

static bool
ends_in(const char *name, const char *extension)
{
	size_t length = strlen(name), end = strlen(extension);

	return length > end && !strcmp(name + length - end, extension);
}

int
format_of_file(enum option_name option, const char *path,
	       enum format_name *ret_format)
{
	const char *slash = strrchr(path, '/');
	const char *name = slash ? slash + 1 : path;

	for (int i = 0; i < FORMATS; i++) {
		const struct format_row *row = &format_rows[i];

		if (row->option == option && row->extension &&
		    ends_in(name, row->extension)) {
			*ret_format = (enum format_name)i;
			return 0;
		}
	}
	return -EINVAL;
}

char *
format_spelling(enum format_name format, bool with_file)
{
	const struct format_row *row = &format_rows[format];

	return xasprintf("--%s%s%s%s", option_rows[row->option].word,
			 row->word ? " " : "", row->word ? row->word : "",
			 !with_file  ? ""
			 : row->word ? ":FILE"
				     : "=FILE");
}
