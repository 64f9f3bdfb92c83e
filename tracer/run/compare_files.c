/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Both files are read before anything is written. */
#include "tracer/run/compare_files.h"

#include "base/err.h"
#include "base/xmalloc.h"
#include "output/tables/compare.h"
#include "tracer/model/say.h"
#include "tracer/options/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row has a fingerprint and a sample, of some KiB each. */
#define LINE_MOST (4u << 20)

static int
read_lines(struct compare *compare, enum compare_side side, FILE *file,
	   const char *name, struct err *err)
{
	cleanup(freep) char *line = xmalloc(LINE_MOST);
	size_t number = 0;
	struct err why;

	errno = 0;
	while (fgets(line, LINE_MOST, file)) {
		number++;
		if (compare_line(compare, side, line, &why) < 0)
			return err_set(err, -EINVAL, "%s, line %zu: %s", name,
				       number, why.text);
		errno = 0;
	}
	if (ferror(file))
		return err_set(err, -EIO, "%s cannot be read: %s", name,
			       strerror(errno));
	if (compare_rows(compare, side) == 0)
		return err_set(err, -ENODATA, "%s: no rows", name);
	return 0;
}

static int
read_file(struct compare *compare, enum compare_side side, const char *name,
	  struct err *err)
{
	FILE *file = fopen(name, "re");
	int r;

	if (!file)
		return err_set(err, -errno, "%s: cannot be read: %s", name,
			       strerror(errno));
	r = read_lines(compare, side, file, name, err);
	fclose(file);
	return r;
}

int
compare_files(const struct options *options)
{
	struct compare *compare = compare_new();
	struct str text;
	struct err err;
	int r;

	r = read_file(compare, COMPARE_BEFORE, options->before, &err);
	if (r == 0)
		r = read_file(compare, COMPARE_AFTER, options->files[0], &err);
	if (r == 0) {
		str_init(&text);
		compare_add(&text, compare);
		if (fputs(str_text(&text), stdout) < 0 || fflush(stdout) != 0)
			r = err_set(&err, -EIO,
				    "standard output cannot be written: %s",
				    strerror(errno));
		str_release(&text);
	}
	compare_free(compare);
	if (r < 0)
		say_error(&err);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
