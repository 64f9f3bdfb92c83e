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

/* More than while tracing, because nothing is traced meanwhile: about a
 * gigabyte. */
#define NODES_MOST (1u << 22)

/* A stack is some KiB long; an endless line is not a folded stack. */
#define LINE_MOST (16u << 20)

static int
read_all(struct tree *tree, const struct look *look, enum look_weight weight,
	 struct err *err)
{
	cleanup(freep) char *line = xmalloc(LINE_MOST);
	size_t number = 0;
	struct err why;

	errno = 0;
	/* fgets() writes the last byte only if the line needs all of them. */
	while ((line[LINE_MOST - 1] = '\n') && fgets(line, LINE_MOST, stdin)) {
		number++;
		if (!line[LINE_MOST - 1] && line[LINE_MOST - 2] != '\n')
			return err_set(err, -EFBIG,
				       "standard input, line %zu: too long: "
				       "%u MiB or more",
				       number, LINE_MOST >> 20);
		if (folded_read(tree, line, weight, look->collapse_recursion,
				&why) < 0)
			return err_set(err, -EINVAL,
				       "standard input, line %zu: %s", number,
				       why.text);
		errno = 0;
	}
	if (ferror(stdin))
		return err_set(err, -EIO, "standard input cannot be read: %s",
			       strerror(errno));
	return 0;
}

static int
write_picture(const struct tree *tree, const struct options *options,
	      enum flame_unit unit, struct err *err)
{
	enum flame_page page = options->picture_format == FORMAT_FLAME_HTML
				       ? FLAME_HTML
				       : FLAME_SVG;
	struct out *out;
	int r = out_open(options->picture, &out, err);

	if (r < 0)
		return r;
	flame_write(tree, unit, page, out);
	r = out_close(out);
	return r < 0 ? err_set(err, r, "%s: cannot be written: %s",
			       options->picture, strerror(-r))
		     : 0;
}

int
draw_flame(const struct options *options)
{
	static const enum flame_unit units[] = {
		[LOOK_WEIGHT_TIME] = FLAME_TIME,
		[LOOK_WEIGHT_CALLS] = FLAME_CALLS,
		[LOOK_WEIGHT_BYTES] = FLAME_BYTES,
	};
	enum flame_unit unit =
		options->weighed ? units[options->look.weight] : FLAME_PLAIN;
	enum look_weight weight =
		options->weighed ? options->look.weight : LOOK_WEIGHT_CALLS;
	struct tree tree;
	struct err err;
	int r;

	tree_init(&tree);
	tree.node_most = NODES_MOST;
	r = read_all(&tree, &options->look, weight, &err);
	if (r == 0)
		r = write_picture(&tree, options, unit, &err);
	tree_release(&tree);
	if (r < 0)
		say_error(&err);
	return r < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
