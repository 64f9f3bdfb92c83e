/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The head is as high with a script as without one: flame.js puts its controls
 * into the space above the frames.
 */
#include "output/stacks/flame_head.h"

#include "base/attr.h"
#include "output/stacks/flame_parts.h"
#include "output/stacks/flame_text.h"
#include "output/stacks/tree.h"
#include "output/stacks/xml.h"
#include "output/stamp.h"

#include <string.h>
#include <time.h>

#define NS 1000000000u

/* Widths in the legend, in pixels: a square, and a character, which is
 * estimated. */
#define SQUARE 11
#define LETTER 7

/* ---- the title and the note ---------------------------------------------- */

static void
add_subject(struct str *to, const struct flame_about *about,
	    const struct tree *tree)
{
	const struct tree_node *first = tree->root.inner;
	unsigned count = 0;

	for (const struct tree_node *node = first; node; node = node->next)
		count++;
	if (about->command)
		xml_add(to, about->command);
	else if (count == 1)
		xml_add(to, first->label->name);
	else if (first && first->label->kind == TREE_PROCESS)
		str_addf(to, "%u processes", count);
	else
		str_add(to, "Flame graph");
}

static void
add_summary(struct str *to, const struct flame_about *about,
	    const struct flame_layout *layout)
{
	uint64_t calls = layout->drawn.at[0].calls;
	enum flame_unit unit = about->unit;

	if (layout->weight == 0) {
		str_add(to, "No traced call has any weight here.");
		return;
	}
	flame_add_weight(to, layout->weight, unit);
	if (unit == FLAME_TIME)
		str_add(to, calls ? " in " : "");
	else if (unit == FLAME_BYTES)
		str_add(to, calls ? " asked for in " : " asked for");
	if (calls && (unit == FLAME_TIME || unit == FLAME_BYTES))
		flame_add_counted(to, calls, "traced call");
	str_add(to, " \302\267 ");
	flame_add_counted(to, layout->stacks, "stack");
	if (layout->omitted == 0)
		return;
	str_add(to, " \302\267 ");
	flame_add_counted(to, layout->omitted, "frame");
	str_addf(to, " of at most ");
	flame_add_share(to, layout->omitted_most, layout->weight);
	str_add(to,
		layout->omitted == 1 ? " is not drawn" : " each are not drawn");
}

/* When the run began and how long it was, as far as that is known. */
static void
add_run(struct str *to, const struct flame_about *about)
{
	time_t began = (time_t)(about->began / NS);
	struct tm local;
	char date[32];

	if (about->began && localtime_r(&began, &local) &&
	    strftime(date, sizeof(date), "%Y-%m-%d %H:%M:%S", &local))
		str_addf(to, " \302\267 %s", date);
	if (about->lasted) {
		str_add(to, " \302\267 ran for ");
		stamp_add_short(to, about->lasted);
	}
}

/* The title of the document, which is also the name of a browser's tab. */
static void
add_title(struct str *to, const struct flame_about *about,
	  const struct tree *tree)
{
	static const char *const weights[] = {
		[FLAME_TIME] = "time",
		[FLAME_CALLS] = "calls",
		[FLAME_BYTES] = "bytes asked for",
		[FLAME_PLAIN] = NULL,
	};

	str_add(to, "<title>");
	add_subject(to, about, tree);
	if (weights[about->unit])
		str_addf(to, " \302\267 %s", weights[about->unit]);
	add_run(to, about);
	str_add(to, "</title>\n");
}

/* Adds what a title says about a difference: the sums, and how many stacks are
 * only in the old file and so in no frame. */
static void
add_difference(struct str *to, const struct flame_about *about,
	       const struct flame_layout *layout)
{
	str_add(to, " \302\267 before: ");
	flame_add_weight(to, layout->before, about->unit);
	str_add(to, ", now ");
	flame_add_change(to, layout->weight, layout->before, about->unit);
	if (layout->gone_stacks == 0)
		return;
	str_add(to, " \302\267 gone: ");
	flame_add_counted(to, layout->gone_stacks, "stack");
	str_add(to, " of ");
	flame_add_weight(to, layout->gone, about->unit);
}

/* ---- the legend ---------------------------------------------------------- */

char
flame_kind(const struct tree_node *node)
{
	const struct tree_label *label = node->label;

	if (!label || label->kind == TREE_PROCESS || label->kind == TREE_THREAD)
		return 'p';
	if (label->kind != TREE_FRAME)
		return 'c';
	return !label->file || strchr(label->name, '@') ? 'n' : 's';
}

static bool
has_kind(const struct flame_layout *layout, char kind)
{
	for (size_t i = 0; i < layout->drawn.count; i++) {
		if (flame_kind(layout->drawn.at[i].node) == kind)
			return true;
	}
	return false;
}

static void
add_colour(struct str *to, unsigned *x, const char *of, const char *text)
{
	str_addf(to,
		 "<g class=\"%s\"><rect x=\"%u\" y=\"61\" width=\"%u\" "
		 "height=\"%u\"/></g><text class=\"note\" x=\"%u\" y=\"71\">"
		 "%s</text>\n",
		 of, *x, SQUARE, SQUARE, *x + SQUARE + 5, text);
	*x += 2 * SQUARE + 10 + LETTER * (unsigned)strlen(text);
}

static void
add_legend(struct str *to, const struct flame_about *about,
	   const struct flame_layout *layout)
{
	static const char *const kinds[][2] = {
		{ "p", "process, thread" },
		{ "s3", "script" },
		{ "n3", "native code" },
		{ "c1", "traced call" },
	};
	static const char *const changes[][2] = {
		{ "m3", "more than before" },
		{ "e", "the same" },
		{ "l3", "less" },
	};
	unsigned x = 1;

	str_add(to, "<g class=\"legend\">\n");
	for (size_t i = 0; about->against && i < array_size(changes); i++)
		add_colour(to, &x, changes[i][0], changes[i][1]);
	for (size_t i = 0; !about->against && i < array_size(kinds); i++) {
		if (has_kind(layout, kinds[i][0][0]))
			add_colour(to, &x, kinds[i][0], kinds[i][1]);
	}
	str_add(to, "</g>\n");
}

/* ---- the whole ----------------------------------------------------------- */

static void
add_begin(struct str *to, const struct flame_about *about,
	  const struct flame_layout *layout, const struct tree *tree)
{
	static const char *const units[] = { "us", "calls", "bytes", "" };
	unsigned height =
		FLAME_HEAD + FLAME_FOOT + FLAME_ROW * (layout->depth + 1);

	if (about->page == FLAME_HTML) {
		str_add(to, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
			    "<meta charset=\"utf-8\">\n<meta name=\"viewport\" "
			    "content=\"width=device-width\">\n");
		add_title(to, about, tree);
		str_add(to, "</head>\n<body style=\"margin:0\">\n");
	} else {
		str_add(to, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
	}
	str_addf(to,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"flame\" "
		 "width=\"100%%\" height=\"%u\" data-unit=\"%s\" "
		 "data-row=\"%u\" data-head=\"%u\" data-foot=\"%u\" "
		 "data-form=\"%s\">\n",
		 height, units[about->unit], FLAME_ROW, FLAME_HEAD, FLAME_FOOT,
		 about->upward ? "flames" : "icicle");
	if (about->page == FLAME_SVG)
		add_title(to, about, tree);
}

void
flame_add_head(struct str *to, const struct flame_about *about,
	       const struct flame_layout *layout, const struct tree *tree)
{
	add_begin(to, about, layout, tree);
	str_addf(to, "<style><![CDATA[\n%s]]></style>\n", flame_css);
	str_add(to, "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n"
		    "<svg x=\"1%\" width=\"98%\">\n<text class=\"title\" "
		    "y=\"30\">");
	add_subject(to, about, tree);
	str_add(to, "</text>\n<text class=\"note\" y=\"51\">");
	add_summary(to, about, layout);
	if (about->against)
		add_difference(to, about, layout);
	add_run(to, about);
	str_add(to, "</text>\n");
	add_legend(to, about, layout);
	str_addf(to,
		 "</svg>\n<svg id=\"frames\" x=\"1%%\" y=\"%u\" "
		 "width=\"98%%\" height=\"%u\">\n",
		 FLAME_HEAD, FLAME_FOOT + FLAME_ROW * (layout->depth + 1));
}
