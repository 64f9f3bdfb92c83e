/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The terminal of --live, by ncurses. One thread calls all functions.
 */
#ifndef OUTPUT_LIVE_TERMINAL_H
#define OUTPUT_LIVE_TERMINAL_H

#include "base/attr.h"
#include "base/err.h"
#include "output/live/cells.h"

#include <stdbool.h>

struct terminal;

/* Opens the controlling terminal and reads its description (terminfo). Nothing
 * is written to the terminal. */
must_check int terminal_open(bool color, struct terminal **ret_terminal,
			     struct err *err);
/* Restores the terminal if a page was shown, and frees. */
void terminal_close(struct terminal *terminal);

/* The descriptor of the terminal, from which keys are read. */
int terminal_descriptor(const struct terminal *terminal);
/* Has a page been shown? Before that, there are no keys. */
bool terminal_shows(const struct terminal *terminal);
void terminal_size(const struct terminal *terminal, unsigned *ret_height,
		   unsigned *ret_width);

/* Shows the cells. The first call puts the screen of the user aside. whole:
 * writes all cells, even cells that the terminal should show already. */
void terminal_show(struct terminal *terminal, const struct cells *cells,
		   bool whole);
/* The next key that waits: a character of Unicode or an enum view_key. False if
 * no key waits. */
must_check bool terminal_key(struct terminal *terminal, unsigned *ret_key);
/* Restores the terminal as it was before the first page. */
void terminal_end(struct terminal *terminal);

#endif
