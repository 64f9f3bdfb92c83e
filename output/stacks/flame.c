/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each frame is a nested <svg>, placed in per cent of the picture's width and
 * clipped at its own edge. Therefore the picture fits any window and is correct
 * without a script (in a viewer, within an <img>). The attribute data-w is the
 * weight, data-o the own weight, data-c the own calls and data-i the inner
 * calls. The script and other tools can read them. In a difference, data-b is
 * the weight in the old file.
 *
 * The script finds frames in the order of the file, outer ones before inner
 * ones, with their depth in data-d. Without the script a browser shows <title>.
 *
 * Colours show the change, or the kind: processes and threads, frames of a
 * script, native frames, traced calls. A function has the same shade
 * everywhere. In direct recursion every other row is paler.
 */
#include "output/stacks/flame.h"

#include "output/stacks/flame_head.h"
#include "output/stacks/flame_layout.h"
#include "output/stacks/flame_parts.h"
#include "output/out.h"
#include "output/sink.h"
#include "output/stacks/flame_text.h"
#include "output/stacks/tree.h"
#include "output/stacks/treesink.h"
#include "output/stacks/xml.h"

#include <string.h>

#define SHADES 6

struct flame {
	struct flame_layout layout;
	const struct flame_about *about;
	struct out *out;
	struct str text;
	/* how often the frame of each depth follows its own function (direct
	 * recursion) */
	unsigned repeats[TREE_DEPTH_MOST + 1];
	const char *names[TREE_DEPTH_MOST + 1];
};

/* Writes what is buffered, so that a large picture is not in memory twice. */
static void
spill(struct flame *flame)
{
	out_write(flame->out, flame->text.text, flame->text.length);
	out_flush(flame->out, true);
	str_clear(&flame->text);
}

/* ---- the frames ---------------------------------------------------------- */

static const char *
function_of(const struct tree_label *label)
{
	return label->function ? label->function : label->name;
}

/* The shade is chosen by a hash of the name (FNV-1a, 32 bits). */
static unsigned
shade_of(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return (hash ^ hash >> 15) % SHADES;
}

/* The class of a frame in a picture of differences: e for about as much as
 * before, m1 to m3 for more, l1 to l3 for less. */
static void
add_change_class(struct flame *flame, const struct flame_frame *frame)
{
	const struct flame_layout *layout = &flame->layout;
	uint64_t whole = layout->weight > layout->before ? layout->weight
							 : layout->before;
	bool less = frame->weight < frame->before;
	uint64_t change = less ? frame->before - frame->weight
			       : frame->weight - frame->before;

	if (change <= whole / 500)
		str_add(&flame->text, "f e");
	else
		str_addf(&flame->text, "f %c%u", less ? 'l' : 'm',
			 change > whole / 10   ? 3
			 : change > whole / 50 ? 2
					       : 1);
}

static void
add_class(struct flame *flame, const struct flame_frame *frame)
{
	const struct tree_node *node = frame->node;
	char kind = flame_kind(node);

	if (flame->about->against)
		add_change_class(flame, frame);
	else if (kind == 'p')
		str_add(&flame->text, "f p");
	else
		str_addf(&flame->text, "f %c%u", kind,
			 shade_of(function_of(node->label)));
	if (flame->repeats[node->depth] % 2)
		str_add(&flame->text, " r");
}

static void
count_repeats(struct flame *flame, const struct tree_node *node)
{
	const char *name = node->label ? function_of(node->label) : "";
	unsigned depth = node->depth;

	flame->names[depth] = name;
	flame->repeats[depth] = 0;
	if (depth > 1 && strcmp(flame->names[depth - 1], name) == 0)
		flame->repeats[depth] = flame->repeats[depth - 1] + 1;
}

static void
add_data(struct flame *flame, const struct flame_frame *frame)
{
	uint64_t own = tree_weight(frame->node,
				   flame_weight_of_unit(flame->about->unit));
	uint64_t calls = tree_weight(frame->node, LOOK_WEIGHT_CALLS);
	struct str *to = &flame->text;

	str_addf(to, " data-d=\"%u\" data-w=\"%lu\"", frame->node->depth,
		 frame->weight);
	if (flame->about->against)
		str_addf(to, " data-b=\"%lu\"", frame->before);
	if (own)
		str_addf(to, " data-o=\"%lu\"", own);
	if (flame->about->unit != FLAME_TIME &&
	    flame->about->unit != FLAME_BYTES)
		return;
	if (calls)
		str_addf(to, " data-c=\"%lu\"", calls);
	else if (frame->calls)
		str_addf(to, " data-i=\"%lu\"", frame->calls);
}

static void
add_title(struct flame *flame, const struct flame_frame *frame,
	  const char *name)
{
	struct str *to = &flame->text;

	str_add(to, "<title>");
	xml_add(to, name);
	str_add_char(to, '\n');
	flame_add_weight(to, frame->weight, flame->about->unit);
	str_add(to, ", ");
	flame_add_share(to, frame->weight, flame->layout.weight);
	if (flame->about->against) {
		str_add(to, "\n");
		flame_add_change(to, frame->weight, frame->before,
				 flame->about->unit);
	}
	str_add(to, "</title>");
}

static void
add_frame(struct flame *flame, const struct flame_frame *frame)
{
	const struct tree_node *node = frame->node;
	const char *name = node->label ? node->label->name : "all";
	unsigned row = flame->about->upward ? flame->layout.depth - node->depth
					    : node->depth;
	struct str *to = &flame->text;

	count_repeats(flame, node);
	str_add(to, "<svg class=\"");
	add_class(flame, frame);
	str_add(to, "\" x=\"");
	flame_add_percent(to, frame->from, flame->layout.weight);
	str_addf(to, "%%\" y=\"%u\" width=\"", row * FLAME_ROW);
	flame_add_percent(to, frame->weight, flame->layout.weight);
	str_addf(to, "%%\" height=\"%u\"", FLAME_ROW - 1);
	add_data(flame, frame);
	str_add_char(to, '>');
	add_title(flame, frame, name);
	str_add(to, "<rect width=\"100%\" height=\"100%\"/>"
		    "<text x=\"5\" y=\"13\">");
	xml_add(to, name);
	str_add(to, "</text></svg>\n");
	if (to->length > 32768)
		spill(flame);
}

/* ---- the whole ----------------------------------------------------------- */

void
flame_write(const struct tree *tree, const struct flame_about *about,
	    struct out *out)
{
	struct flame flame = { .about = about, .out = out };

	str_init(&flame.text);
	flame_layout_init(&flame.layout, tree,
			  flame_weight_of_unit(about->unit), about->against);
	flame_add_head(&flame.text, about, &flame.layout, tree);
	spill(&flame);
	for (size_t i = 0; i < flame.layout.drawn.count; i++)
		add_frame(&flame, &flame.layout.drawn.at[i]);
	str_addf(&flame.text,
		 "</svg>\n<script><![CDATA[\n%s]]></script>\n</svg>\n",
		 flame_js);
	if (about->page == FLAME_HTML)
		str_add(&flame.text, "</body>\n</html>\n");
	spill(&flame);
	flame_layout_release(&flame.layout);
	str_release(&flame.text);
}

void
flame_write_page(const struct tree *tree, const struct look *look,
		 enum flame_page page, struct out *out)
{
	static const enum flame_unit units[] = {
		[LOOK_WEIGHT_TIME] = FLAME_TIME,
		[LOOK_WEIGHT_CALLS] = FLAME_CALLS,
		[LOOK_WEIGHT_BYTES] = FLAME_BYTES,
	};
	const struct flame_about about = {
		.unit = units[look->weight],
		.page = page,
		.upward = look->flames_upward,
		.command = look->command,
		.began = tree->began && look->epoch_offset
				 ? tree->began + look->epoch_offset
				 : 0,
		.lasted = tree->ended - tree->began,
	};

	flame_write(tree, &about, out);
}

static void
write_svg(const struct tree *tree, const struct look *look, struct out *out)
{
	flame_write_page(tree, look, FLAME_SVG, out);
}

static void
write_html(const struct tree *tree, const struct look *look, struct out *out)
{
	flame_write_page(tree, look, FLAME_HTML, out);
}

static const struct tree_form svg = { "flame", write_svg };
static const struct tree_form html = { "flame", write_html };

struct sink *
flame_svg_sink_new(const struct look *look, struct out *out)
{
	return tree_sink_new(look, out, &svg);
}

struct sink *
flame_html_sink_new(const struct look *look, struct out *out)
{
	return tree_sink_new(look, out, &html);
}
