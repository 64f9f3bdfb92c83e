/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A page is what the screen shows at one moment: its contents, and the function
 * that draws them into cells.
 */
#ifndef OUTPUT_LIVE_PAGE_H
#define OUTPUT_LIVE_PAGE_H

#include "output/live/cells.h"
#include "output/live/figures.h"
#include "output/live/view.h"

#include <stdint.h>
#include <sys/types.h>

/* A call that has not ended. */
struct page_call {
	pid_t tid;
	uint64_t elapsed; /* since it began, in ns */
	bool before;	  /* the call began before the attach */
	char *text;	  /* the query of the call, or its function */
	char *where;	  /* the line of the script, or NULL */
};

struct live_page {
	const char *subject; /* what is traced, or NULL */
	const char *clock;   /* the time of day */
	const char *group;   /* by which the rows are grouped */
	struct figures *figures;
	const struct page_call *calls; /* the longest first */
	size_t call_count;
	bool partly; /* some calls were left out (--budget) */
	/* lines about the row that was chosen, or of the stacks of threads */
	const char *text;
	const char *message; /* the last message of xtrace, or NULL */
};

/* Draws the page as the view wants it, and tells the view how many rows there
 * are. cells is as after cells_init(). */
void page_draw(const struct live_page *page, struct live_view *view,
	       struct cells *cells);

#endif
