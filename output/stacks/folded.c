/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folded stacks, the text from which flame graphs are drawn (Brendan Gregg's
 * stackcollapse format): one line per stack, with ';' between the frames,
 * outermost first, then a space and a number. Our lines
 *
 *	python3 1234;thread 1240;mysql_real_query;send 1523
 *
 * contain the program, the thread, the frames of the script if they are known
 * (-w), the traced calls, and their own time in microseconds (or their number,
 * or the bytes they requested). A node without its own weight has no line. The
 * lines are sorted as bytes. Two files are merged by adding the numbers of
 * equal lines.
 */
#include "base/str.h"
#include "base/vec.h"
#include "base/xmalloc.h"
#include "output/out.h"
#include "output/stacks/tree.h"
#include "output/stacks/treesink.h"

#include <string.h>

struct lines {
	char **at;
	size_t count;
	size_t room;
};

/* path is the path of the outer node; it is restored at the end. */
static void
collect(const struct tree_node *node, enum look_weight by, struct str *path,
	struct lines *lines)
{
	uint64_t weight = tree_weight(node, by);
	size_t before = path->length;
	const char *line;

	if (node->label) {
		if (before > 0)
			str_add_char(path, ';');
		str_add(path, node->label->name);
	}
	/* The root has its own weight only if there were too many nodes. */
	line = path->length > 0 ? path->text : "other";
	if (weight > 0)
		vec_push(lines, xasprintf("%s %lu\n", line, weight));
	for (const struct tree_node *inner = node->inner; inner;
	     inner = inner->next)
		collect(inner, by, path, lines);
	str_cut(path, before);
}

static int
compare_lines(const void *left, const void *right)
{
	return strcmp(*(char *const *)left, *(char *const *)right);
}

static void
folded_write(const struct tree *tree, const struct look *look, struct out *out)
{
	struct lines lines = { 0 };
	struct str path;

	str_init(&path);
	collect(&tree->root, look->weight, &path, &lines);
	vec_sort(&lines, compare_lines);
	for (size_t i = 0; i < lines.count; i++) {
		out_write(out, lines.at[i], strlen(lines.at[i]));
		out_flush(out, true);
		free(lines.at[i]);
	}
	vec_release(&lines);
	str_release(&path);
}

static const struct tree_form form = { "folded", folded_write };

struct sink *
folded_sink_new(const struct look *look, struct out *out)
{
	return tree_sink_new(look, out, &form);
}
