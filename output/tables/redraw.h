/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A text on a terminal that a newer one replaces in the same place. */
#ifndef OUTPUT_TABLES_REDRAW_H
#define OUTPUT_TABLES_REDRAW_H

#include "base/str.h"

#include <stdbool.h>

struct out;

struct redraw {
	struct out *out;
	unsigned lines; /* lines of the text that the terminal shows now */
};

/* Writes text, which consists of whole lines, over the text before; it is cut
 * to the size of the terminal. If there is no terminal, text is written as it
 * is. */
void redraw_text(struct redraw *redraw, const struct str *text);
/* Removes the text from the terminal, at once. */
void redraw_erase(struct redraw *redraw);
/* The width of the terminal, 0 if there is none. */
unsigned redraw_width(const struct redraw *redraw);

#endif
