/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cursor goes up as many lines as were written before, and each line erases
 * the rest of the old one (ECMA-48: CUU, EL, ED). This works only if no line is
 * wrapped or scrolled away, so lines are cut at the width and the text at the
 * height. What the program itself writes in between moves the text down and
 * stays above it, except for its last lines. Before a message of xtrace the
 * text is removed, so the message stays above it.
 */
#include "output/tables/redraw.h"

#include "base/utf8.h"
#include "output/out.h"

#include <string.h>

#define ERASE_LINE "\033[K"
#define ERASE_BELOW "\033[J"

static void
go_up(const struct redraw *redraw, struct str *to)
{
	str_add(to, "\r");
	if (redraw->lines > 0)
		str_addf(to, "\033[%uA", redraw->lines);
}

void
redraw_text(struct redraw *redraw, const struct str *text)
{
	const char *line = str_text(text), *end;
	unsigned height, width, count = 0;
	struct str to;

	if (!out_window(redraw->out, &height, &width)) {
		out_write(redraw->out, str_text(text), text->length);
		return;
	}
	str_init(&to);
	go_up(redraw, &to);
	for (; (end = strchr(line, '\n')) && count + 1 < height;
	     line = end + 1) {
		size_t length = (size_t)(end - line);

		str_add_bytes(&to, line, utf8_fitting(line, length, width));
		str_add(&to, ERASE_LINE "\n");
		count++;
	}
	str_add(&to, ERASE_BELOW);
	redraw->lines = count;
	out_write(redraw->out, to.text, to.length);
	out_flush(redraw->out, false);
	str_release(&to);
}

void
redraw_erase(struct redraw *redraw)
{
	struct str to;

	if (redraw->lines == 0)
		return;
	str_init(&to);
	go_up(redraw, &to);
	str_add(&to, ERASE_BELOW);
	redraw->lines = 0;
	out_write(redraw->out, to.text, to.length);
	out_flush(redraw->out, false);
	str_release(&to);
}

unsigned
redraw_width(const struct redraw *redraw)
{
	unsigned height, width;

	return out_window(redraw->out, &height, &width) ? width : 0;
}
