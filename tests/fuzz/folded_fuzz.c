/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Folded stacks: the first byte chooses the unit and the page, the rest is the
 * file. What is read is drawn. The frames of the picture must lie within each
 * other and have the weights that were read, and the picture must contain no
 * character that XML forbids.
 */
#include "base/str.h"
#include "base/xmalloc.h"
#include "output/stacks/flame.h"
#include "output/stacks/flame_layout.h"
#include "output/stacks/folded_read.h"
#include "output/out.h"
#include "output/stacks/tree.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void
check_layout(const struct tree *tree, enum look_weight by)
{
	struct flame_layout layout;
	uint64_t whole = 0;

	for (const struct tree_node *node = &tree->root; node;
	     node = tree_next(node))
		whole += tree_weight(node, by);
	flame_layout_init(&layout, tree, by, tree);
	assert(layout.weight == whole);
	assert(layout.drawn.count <= tree->node_count);
	for (size_t i = 0; i < layout.drawn.count; i++) {
		const struct flame_frame *frame = &layout.drawn.at[i];

		assert(frame->from + frame->weight <= whole);
		assert(frame->weight >= tree_weight(frame->node, by));
	}
	flame_layout_release(&layout);
}

static void
check_text(const struct str *text)
{
	for (size_t i = 0; i < text->length; i++) {
		unsigned char c = (unsigned char)text->text[i];

		assert(c >= ' ' || c == '\n' || c == '\t');
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length)
{
	cleanup(freep) char *text = NULL;
	struct flame_about about = { 0 };
	enum look_weight by;
	char *rest, *line;
	struct tree tree;
	struct out *out;
	struct str drawn;
	struct err err;

	if (length == 0 || length > 8192)
		return 0;
	by = bytes[0] % LOOK_WEIGHTS;
	text = xstrndup((const char *)bytes + 1, length - 1);
	rest = text;
	tree_init(&tree);
	while ((line = strsep(&rest, "\n"))) {
		if (folded_read(&tree, line, by, false, false, &err) < 0)
			assert(err.text[0]);
	}
	check_layout(&tree, by);
	str_init(&drawn);
	out = out_memory(&drawn);
	about.unit = (enum flame_unit)by;
	about.page = bytes[0] & 4 ? FLAME_HTML : FLAME_SVG;
	about.upward = bytes[0] & 8;
	about.against = bytes[0] & 16 ? &tree : NULL;
	flame_write(&tree, &about, out);
	if (out_close(out) == 0)
		check_text(&drawn);
	str_release(&drawn);
	tree_release(&tree);
	return 0;
}
