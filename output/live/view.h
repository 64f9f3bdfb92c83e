/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A view is what the user has chosen with keys: what the screen shows, and in
 * which order. It is changed by keys alone.
 */
#ifndef OUTPUT_LIVE_VIEW_H
#define OUTPUT_LIVE_VIEW_H

#include "base/attr.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

/* A key is a character of Unicode, or one of these. */
enum view_key {
	VIEW_KEY_UP = 0x110000,
	VIEW_KEY_DOWN,
	VIEW_KEY_LEFT,
	VIEW_KEY_RIGHT,
	VIEW_KEY_PAGE_UP,
	VIEW_KEY_PAGE_DOWN,
	VIEW_KEY_HOME,
	VIEW_KEY_END,
	VIEW_KEY_ENTER,
	VIEW_KEY_BACKSPACE,
	VIEW_KEY_ESCAPE,
};

/* The columns of the table, from left to right. */
enum view_sort {
	VIEW_TOTAL,
	VIEW_CALLS,
	VIEW_RATE,
	VIEW_P95,
	VIEW_ERRORS,
	VIEW_ROWS,
	VIEW_NAME,
	VIEW_SORTS
};

enum view_mode {
	VIEW_TABLE,
	VIEW_FILTER, /* the table, while the user types a filter */
	VIEW_HELP,
	VIEW_DETAILS, /* the details of the row that was chosen */
	VIEW_STACKS,  /* the stacks of all threads */
	VIEW_SAVE,    /* the table, while the user types the name of a file */
};

/* What a key asks for that the view does not do itself. */
enum view_act {
	VIEW_NOTHING,
	VIEW_REDRAW, /* the whole terminal is drawn again */
	VIEW_LEAVE,
	VIEW_RESET,
	VIEW_OPEN,  /* the details of the chosen row */
	VIEW_LOOK,  /* the stacks of all threads, as they are now */
	VIEW_WRITE, /* the table or the flame graph into the file */
};

struct live_view {
	enum view_mode mode;
	enum view_sort sort;
	unsigned group, groups; /* the chosen group, and how many there are */
	struct str filter;
	struct str file; /* the name of a file, as it was typed */
	bool flame;	 /* the file gets the flame graph, not the table */
	size_t scroll;	 /* the first line of the text that is shown */
	bool paused;
	/* the index of the chosen row, and how many rows can be chosen */
	size_t chosen, rows;
	size_t page; /* how many rows the screen shows */
};

void view_init(struct live_view *view, unsigned groups);
void view_release(struct live_view *view);

/* Takes a key. view->rows and view->page were set when the last page was
 * drawn. */
must_check enum view_act view_key(struct live_view *view, unsigned key);

#endif
