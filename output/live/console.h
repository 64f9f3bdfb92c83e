/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A console joins the thread that traces with the thread that has the terminal.
 * The tracing thread makes pages and takes keys, and never waits for the
 * terminal. The other thread shows the last page and reads keys.
 */
#ifndef OUTPUT_LIVE_CONSOLE_H
#define OUTPUT_LIVE_CONSOLE_H

#include "base/attr.h"
#include "base/err.h"
#include "output/live/cells.h"

#include <stdbool.h>

struct console;

/*
 * -EINVAL and one sentence if there is no terminal for a page. shared: xtrace
 * starts a command, which gets xtrace's input and output; none of these may be
 * the terminal. Otherwise standard input and output must be the terminal.
 */
must_check int console_check(bool shared, struct err *err);

must_check int console_open(bool color, struct console **ret_console,
			    struct err *err);
void console_close(struct console *console);

/* ---- for the thread that has the terminal ----------------------------------
 */

/* Poll this descriptor for input; -1: no page is shown yet. */
int console_descriptor(const struct console *console);
/* Shows the last page and reads keys. Returns true if a new page is needed,
 * because there are keys or the terminal has another size. */
must_check bool console_serve(struct console *console);
/* Is xtrace to leave, because the user wants it, or because the
 * terminal was closed? */
bool console_leaves(const struct console *console);
/* Restores the terminal as it was before the first page. */
void console_end(struct console *console);

/* ---- for the tracing thread ------------------------------------------------
 */

/* The size for the next page. */
void console_size(struct console *console, unsigned *ret_height,
		  unsigned *ret_width);
must_check bool console_key(struct console *console, unsigned *ret_key);
/* Takes over the cells; whole: see terminal_show(). */
void console_show(struct console *console, struct cells *cells, bool whole);
/* Notes that the user wants to leave. */
void console_leave(struct console *console);
/* Does the terminal show a page over which a message to stderr would be
 * written? */
bool console_shows(const struct console *console);

#endif
