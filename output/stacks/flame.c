/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each frame is a nested <svg>, placed in per cent of the picture's width and
 * clipped at its own edge. Therefore the picture fits any window and is correct
 * without a script (in a viewer, within an <img>). The attribute data-w is the
 * weight, data-o the own weight, data-c the own calls and data-i the inner
 * calls. The script and other tools can read them.
 *
 * The script finds frames in the order of the file, outer ones before inner
 * ones, with their depth in data-d. Without the script a browser shows <title>.
 *
 * Colours show the kind: processes and threads, frames of a script, native
 * frames, traced calls. A function has the same shade everywhere. In direct
 * recursion every other row is paler.
 */
#include "output/stacks/flame.h"

#include "output/stacks/flame_layout.h"
#include "output/stacks/flame_parts.h"
#include "output/out.h"
#include "output/sink.h"
#include "output/stamp.h"
#include "output/stacks/tree.h"
#include "output/stacks/treesink.h"
#include "output/stacks/xml.h"

#include <string.h>

#define ROW 19
#define HEAD 92
#define FOOT 40
#define SHADES 6

struct flame {
	struct flame_layout layout;
	enum flame_unit unit;
	enum flame_page page;
	struct out *out;
	struct str text;
	unsigned repeats[TREE_DEPTH_MOST + 1]; /* direct recursion, by depth */
	const char *names[TREE_DEPTH_MOST + 1];
};

static enum look_weight
weight_of_unit(enum flame_unit unit)
{
	switch (unit) {
	case FLAME_TIME:
		return LOOK_WEIGHT_TIME;
	case FLAME_BYTES:
		return LOOK_WEIGHT_BYTES;
	default:
		return LOOK_WEIGHT_CALLS;
	}
}

/* Writes what is buffered, so that a large picture is not in memory twice. */
static void
spill(struct flame *flame)
{
	out_write(flame->out, flame->text.text, flame->text.length);
	out_flush(flame->out, true);
	str_clear(&flame->text);
}

/* ---- numbers ------------------------------------------------------------- */

/* 1234567 as "1,234,567". */
static void
add_grouped(struct str *to, uint64_t number)
{
	if (number >= 1000) {
		add_grouped(to, number / 1000);
		str_addf(to, ",%03lu", number % 1000);
	} else {
		str_add_unsigned(to, number);
	}
}

static void
add_bytes(struct str *to, uint64_t bytes)
{
	static const char *const units[] = { "B", "kB", "MB", "GB", "TB" };
	unsigned unit = 1;
	uint64_t tenths = bytes / 100;

	if (bytes < 1000) {
		str_addf(to, "%lu B", bytes);
		return;
	}
	for (; tenths >= 10000 && unit < array_size(units) - 1; unit++)
		tenths /= 1000;
	str_addf(to, "%lu.%lu %s", tenths / 10, tenths % 10, units[unit]);
}

static void
add_counted(struct str *to, uint64_t number, const char *noun)
{
	add_grouped(to, number);
	str_addf(to, " %s%s", noun, number == 1 ? "" : "s");
}

static void
add_weight(struct str *to, uint64_t weight, enum flame_unit unit)
{
	switch (unit) {
	case FLAME_TIME:
		stamp_add_short(to, weight * 1000);
		break;
	case FLAME_CALLS:
		add_counted(to, weight, "call");
		break;
	case FLAME_BYTES:
		add_bytes(to, weight);
		break;
	default:
		add_grouped(to, weight);
	}
}

/* part of whole in per cent, with four digits after the point, as in "3.25",
 * for an attribute. */
static void
add_percent(struct str *to, uint64_t part, uint64_t whole)
{
	uint64_t parts =
		whole ? (uint64_t)((unsigned __int128)part * 1000000 / whole)
		      : 1000000;

	str_addf(to, "%lu.%04lu", parts / 10000, parts % 10000);
}

/* The percentage in text: "12.3 %", "0.01 %". */
static void
add_share(struct str *to, uint64_t part, uint64_t whole)
{
	uint64_t parts =
		whole ? (uint64_t)((unsigned __int128)part * 100000 / whole)
		      : 100000;

	if (parts >= 1000)
		str_addf(to, "%lu.%lu %%", parts / 1000, parts / 100 % 10);
	else
		str_addf(to, "%lu.%02lu %%", parts / 1000, parts / 10 % 100);
}

/* ---- the head ------------------------------------------------------------ */

static void
add_subject(struct str *to, const struct tree *tree)
{
	const struct tree_node *first = tree->root.inner;
	unsigned count = 0;

	for (const struct tree_node *node = first; node; node = node->next)
		count++;
	if (count == 1)
		xml_add(to, first->label->name);
	else if (first && first->label->kind == TREE_PROCESS)
		str_addf(to, "%u processes", count);
	else
		str_add(to, "Flame graph");
}

static void
add_summary(struct flame *flame)
{
	const struct flame_layout *layout = &flame->layout;
	uint64_t calls = layout->drawn.at[0].calls;
	struct str *to = &flame->text;

	if (layout->weight == 0) {
		str_add(to, "No traced call has any weight here.");
		return;
	}
	add_weight(to, layout->weight, flame->unit);
	if (flame->unit == FLAME_TIME)
		str_add(to, calls ? " in " : "");
	else if (flame->unit == FLAME_BYTES)
		str_add(to, calls ? " asked for in " : " asked for");
	if (calls && (flame->unit == FLAME_TIME || flame->unit == FLAME_BYTES))
		add_counted(to, calls, "traced call");
	str_add(to, " \302\267 ");
	add_counted(to, layout->stacks, "stack");
	if (layout->omitted == 0)
		return;
	str_add(to, " \302\267 ");
	add_counted(to, layout->omitted, "frame");
	str_addf(to, " of at most ");
	add_share(to, layout->omitted_most, layout->weight);
	str_add(to,
		layout->omitted == 1 ? " is not drawn" : " each are not drawn");
}

static void
add_head(struct flame *flame, const struct tree *tree)
{
	static const char *const units[] = { "us", "calls", "bytes", "" };
	unsigned height = HEAD + FOOT + ROW * (flame->layout.depth + 1);
	struct str *to = &flame->text;

	if (flame->page == FLAME_HTML) {
		str_add(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			    "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
			    "content=\"width=device-width\">\n<title>");
		add_subject(to, tree);
		str_add(to, "</title>\n</head>\n<body style=\"margin:0\">\n");
	} else {
		str_add(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	}
	str_addf(to,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" "
		 "width=\"100%%\" height=\"%u\" data-unit=\"%s\" "
		 "data-row=\"%u\" data-head=\"%u\" data-foot=\"%u\">\n",
		 height, units[flame->unit], ROW, HEAD, FOOT);
	if (flame->page == FLAME_SVG) {
		str_add(to, "<title>");
		add_subject(to, tree);
		str_add(to, "</title>\n");
	}
	str_addf(to, "<style><![CDATA[\n%s]]></style>\n", flame_css);
	str_add(to, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
		    "<svg x=\"1%\" width=\"98%\">\n<text class=\"title\" "
		    "y=\"30\">");
	add_subject(to, tree);
	str_add(to, "</text>\n<text class=\"note\" y=\"51\">");
	add_summary(flame);
	str_addf(to,
		 "</text>\n</svg>\n<svg id=\"frames\" x=\"1%%\" y=\"%u\" "
		 "width=\"98%%\" height=\"%u\">\n",
		 HEAD, height - HEAD);
	spill(flame);
}

/* ---- the frames ---------------------------------------------------------- */

static const char *
function_of(const struct tree_label *label)
{
	return label->function ? label->function : label->name;
}

/* FNV-1a, 32 bits. */
static unsigned
shade_of(const char *name)
{
	uint32_t hash = 2166136261u;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return (hash ^ hash >> 15) % SHADES;
}

static bool
is_native(const struct tree_label *label)
{
	return !label->file || strchr(label->name, '@');
}

static void
add_class(struct flame *flame, const struct tree_node *node)
{
	struct str *to = &flame->text;

	if (!node->label || node->label->kind == TREE_PROCESS ||
	    node->label->kind == TREE_THREAD)
		str_add(to, "f p");
	else
		str_addf(to, "f %c%u",
			 node->label->kind != TREE_FRAME ? 'c'
			 : is_native(node->label)	 ? 'n'
							 : 's',
			 shade_of(function_of(node->label)));
	if (flame->repeats[node->depth] % 2)
		str_add(to, " r");
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
	uint64_t own = tree_weight(frame->node, weight_of_unit(flame->unit));
	uint64_t calls = frame->node->self[LOOK_WEIGHT_CALLS];
	struct str *to = &flame->text;

	str_addf(to, " data-d=\"%u\" data-w=\"%lu\"", frame->node->depth,
		 frame->weight);
	if (own)
		str_addf(to, " data-o=\"%lu\"", own);
	if (flame->unit != FLAME_TIME && flame->unit != FLAME_BYTES)
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
	add_weight(to, frame->weight, flame->unit);
	str_add(to, ", ");
	add_share(to, frame->weight, flame->layout.weight);
	str_add(to, "</title>");
}

static void
add_frame(struct flame *flame, const struct flame_frame *frame)
{
	const struct tree_node *node = frame->node;
	const char *name = node->label ? node->label->name : "all";
	struct str *to = &flame->text;

	count_repeats(flame, node);
	str_add(to, "<svg class=\"");
	add_class(flame, node);
	str_add(to, "\" x=\"");
	add_percent(to, frame->from, flame->layout.weight);
	str_addf(to, "%%\" y=\"%u\" width=\"", node->depth * ROW);
	add_percent(to, frame->weight, flame->layout.weight);
	str_addf(to, "%%\" height=\"%u\"", ROW - 1);
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
flame_write(const struct tree *tree, enum flame_unit unit, enum flame_page page,
	    struct out *out)
{
	struct flame flame = { .unit = unit, .page = page, .out = out };

	str_init(&flame.text);
	flame_layout_init(&flame.layout, tree, weight_of_unit(unit));
	add_head(&flame, tree);
	for (size_t i = 0; i < flame.layout.drawn.count; i++)
		add_frame(&flame, &flame.layout.drawn.at[i]);
	str_addf(&flame.text,
		 "</svg>\n<script><![CDATA[\n%s]]></script>\n</svg>\n",
		 flame_js);
	if (page == FLAME_HTML)
		str_add(&flame.text, "</body>\n</html>\n");
	spill(&flame);
	flame_layout_release(&flame.layout);
	str_release(&flame.text);
}

static enum flame_unit
unit_of(const struct look *look)
{
	switch (look->weight) {
	case LOOK_WEIGHT_TIME:
		return FLAME_TIME;
	case LOOK_WEIGHT_BYTES:
		return FLAME_BYTES;
	default:
		return FLAME_CALLS;
	}
}

static void
write_svg(const struct tree *tree, const struct look *look, struct out *out)
{
	flame_write(tree, unit_of(look), FLAME_SVG, out);
}

static void
write_html(const struct tree *tree, const struct look *look, struct out *out)
{
	flame_write(tree, unit_of(look), FLAME_HTML, out);
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
