/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * All input is read before the picture's file is opened, so that bad input does
 * not destroy an existing picture.
 */
#include "tracer/run/draw.h"

#include "base/err.h"
#include "base/xmalloc.h"
#include "output/out.h"
#include "output/stacks/flame.h"
#include "output/stacks/folded_read.h"
#include "output/stacks/tree.h"
#include "tracer/model/say.h"
#include "tracer/options/options.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * The most nodes of the tree, which take about a gigabyte. While tracing the
 * limit is lower, because the program needs memory, too.
 */
#define NODES_MOST (1u << 22)

/* The longest line that is read. A stack is some KiB long. */
#define LINE_MOST (16u << 20)

/* Reads a file of folded stacks. name is what messages call it. */
static int
read_stacks(struct tree *tree, FILE *file, const char *name,
	    const struct options *options, struct err *err)
{
	cleanup(freep) char *line = xmalloc(LINE_MOST);
	enum look_weight weight =
		options->weighed ? options->look.weight : LOOK_WEIGHT_CALLS;
	size_t number = 0;
	struct err why;

	errno = 0;
	/* fgets() writes the last byte only if the line needs all of them. */
	while ((line[LINE_MOST - 1] = '\n') && fgets(line, LINE_MOST, file)) {
		number++;
		if (!line[LINE_MOST - 1] && line[LINE_MOST - 2] != '\n')
			return err_set(err, -EFBIG,
				       "%s, line %zu: too long: "
				       "%u MiB or more",
				       name, number, LINE_MOST >> 20);
		if (folded_read(tree, line, weight,
				options->look.collapse_recursion,
				options->against != NULL, &why) < 0)
			return err_set(err, -EINVAL, "%s, line %zu: %s", name,
				       number, why.text);
		errno = 0;
	}
	if (ferror(file))
		return err_set(err, -EIO, "%s cannot be read: %s", name,
			       strerror(errno));
	if (tree->node_count == 1)
		return err_set(err, -ENODATA, "%s: no stacks", name);
	return 0;
}

static int
read_file(struct tree *tree, const struct options *options, struct err *err)
{
	FILE *file = fopen(options->against, "re");
	int r;

	if (!file)
		return err_set(err, -errno, "%s: cannot be read: %s",
			       options->against, strerror(errno));
	r = read_stacks(tree, file, options->against, options, err);
	fclose(file);
	return r;
}

static int
write_picture(const struct tree *tree, const struct tree *against,
	      const struct options *options, struct err *err)
{
	static const enum flame_unit units[] = {
		[LOOK_WEIGHT_TIME] = FLAME_TIME,
		[LOOK_WEIGHT_CALLS] = FLAME_CALLS,
		[LOOK_WEIGHT_BYTES] = FLAME_BYTES,
	};
	const struct flame_about about = {
		.unit = options->weighed ? units[options->look.weight]
					 : FLAME_PLAIN,
		.page = options->picture_format == FORMAT_FLAME_HTML
				? FLAME_HTML
				: FLAME_SVG,
		.upward = options->look.flames_upward,
		.against = options->against ? against : NULL,
	};
	struct out *out;
	int r = out_open(options->picture, &out, err);

	if (r < 0)
		return r;
	flame_write(tree, &about, out);
	r = out_close(out);
	return r < 0 ? err_set(err, r, "%s: cannot be written: %s",
			       options->picture, strerror(-r))
		     : 0;
}

int
draw_flame(const struct options *options)
{
	struct tree tree, against;
	struct err err;
	int r;

	tree_init(&tree);
	tree_init(&against);
	tree.node_most = against.node_most = NODES_MOST;
	r = read_stacks(&tree, stdin, "standard input", options, &err);
	if (r == 0 && options->against)
		r = read_file(&against, options, &err);
	if (r == 0)
		r = write_picture(&tree, &against, options, &err);
	tree_release(&tree);
	tree_release(&against);
	if (r < 0)
		say_error(&err);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
