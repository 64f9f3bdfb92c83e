/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Both files are read before anything is written. The first line of the first
 * file tells whether the files are summaries of calls or censuses of heaps.
 */
#include "tracer/run/compare_files.h"

#include "base/err.h"
#include "base/xmalloc.h"
#include "output/tables/compare.h"
#include "output/tables/heap_compare.h"
#include "tracer/model/say.h"
#include "tracer/options/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The most bytes of a line. A row has a fingerprint and a sample, of some KiB
 * each. */
#define LINE_MOST (4u << 20)

/* How many rows of a heap's table are shown if --top is not given. */
#define ROWS_DEFAULT 40u

/* What is compared. When a line was read, either calls or heaps is not NULL. */
struct comparison {
	const struct options *options;
	struct compare *calls;
	struct heap_compare *heaps;
};

static int
take_line(struct comparison *comparison, enum compare_side side,
	  const char *line, struct err *err)
{
	const struct options *options = comparison->options;

	if (!comparison->calls && !comparison->heaps) {
		/* A file may be compared with itself: then its first census is
		 * compared with its last one. */
		if (heap_compare_knows(line))
			comparison->heaps = heap_compare_new(
				!strcmp(options->before, options->files[0]));
		else
			comparison->calls = compare_new();
	}
	return comparison->heaps
		       ? heap_compare_line(comparison->heaps, side, line, err)
		       : compare_line(comparison->calls, side, line, err);
}

static int
check_side(const struct comparison *comparison, enum compare_side side,
	   const char *name, struct err *err)
{
	if (comparison->heaps)
		return heap_compare_heaps(comparison->heaps, side)
			       ? 0
			       : err_set(err, -ENODATA,
					 "%s: no whole census of a heap", name);
	return comparison->calls && compare_rows(comparison->calls, side)
		       ? 0
		       : err_set(err, -ENODATA, "%s: no rows", name);
}

static int
read_lines(struct comparison *comparison, enum compare_side side, FILE *file,
	   const char *name, struct err *err)
{
	cleanup(freep) char *line = xmalloc(LINE_MOST);
	size_t number = 0;
	struct err why;

	errno = 0;
	while (fgets(line, LINE_MOST, file)) {
		number++;
		if (take_line(comparison, side, line, &why) < 0)
			return err_set(err, -EINVAL, "%s, line %zu: %s", name,
				       number, why.text);
		errno = 0;
	}
	if (ferror(file))
		return err_set(err, -EIO, "%s cannot be read: %s", name,
			       strerror(errno));
	return check_side(comparison, side, name, err);
}

static int
read_file(struct comparison *comparison, enum compare_side side,
	  const char *name, struct err *err)
{
	FILE *file = fopen(name, "re");
	int r;

	if (!file)
		return err_set(err, -errno, "%s: cannot be read: %s", name,
			       strerror(errno));
	r = read_lines(comparison, side, file, name, err);
	fclose(file);
	return r;
}

static int
write_table(struct comparison *comparison, struct err *err)
{
	unsigned top = comparison->options->look.top;
	struct str text;
	int r = 0;

	str_init(&text);
	if (comparison->heaps)
		heap_compare_add(&text, comparison->heaps,
				 top ? top : ROWS_DEFAULT);
	else
		compare_add(&text, comparison->calls);
	if (fputs(str_text(&text), stdout) < 0 || fflush(stdout) != 0)
		r = err_set(err, -EIO, "standard output cannot be written: %s",
			    strerror(errno));
	str_release(&text);
	return r;
}

int
compare_files(const struct options *options)
{
	struct comparison comparison = { .options = options };
	struct err err;
	int r;

	r = read_file(&comparison, COMPARE_BEFORE, options->before, &err);
	if (r == 0)
		r = read_file(&comparison, COMPARE_AFTER, options->files[0],
			      &err);
	if (r == 0)
		r = write_table(&comparison, &err);
	compare_free(comparison.calls);
	heap_compare_free(comparison.heaps);
	if (r < 0)
		say_error(&err);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
