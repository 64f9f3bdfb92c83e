/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line is one line of the trace while it is written: its prefix (thread,
 * time, return address, indent), its columns, its colours. Writing may pause,
 * for example after "name(arguments" on a terminal, and continue later.
 */
#ifndef OUTPUT_LINES_LINE_H
#define OUTPUT_LINES_LINE_H

#include "base/addr.h"
#include "base/attr.h"
#include "base/str.h"
#include "output/look.h"
#include "output/stamp.h"

#include <stdbool.h>
#include <sys/types.h>

struct out;

struct line {
	const struct look *look;
	struct out *out;
	struct stamp stamp;
	struct str text; /* text that is not written yet; more may be added */
	size_t paused;	 /* how many columns were written before the text */
	/* how many bytes of the text set colours and have no width */
	size_t painted;
	pid_t first;  /* the thread that printed first */
	bool threads; /* a second thread has printed */
};

/* The thread and the time of a line. */
struct line_head {
	pid_t tid;
	uint64_t when;
	addr_t return_address; /* only for calls */
	unsigned depth;
	bool call;
};

enum line_paint {
	LINE_NAME,
	LINE_NOTE, /* the colour of <unfinished ...>, resumed, <unwound ...> */
	LINE_ERROR,
	LINE_DURATION,
	LINE_EVENT, /* the colour of lines of signals and ends */
};

void line_init(struct line *line, const struct look *look, struct out *out);
void line_release(struct line *line);

/* Starts a line with its prefix. Call line_end() before the next one. */
void line_begin(struct line *line, const struct line_head *head);
/* Text between line_paint() and line_plain() has a colour, if colours are
 * used. */
void line_paint(struct line *line, enum line_paint paint);
void line_plain(struct line *line);
/* Adds at least one space, up to the column of "= value". */
void line_align(struct line *line);
/* Writes the text so far without a newline; more may be added. */
void line_pause(struct line *line);
void line_end(struct line *line);

#endif
