/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A line is one line of the trace while it is written: its prefix (thread,
 * time, return address, indent), its columns, its colours. It may pause, as
 * "name(arguments" on a terminal does, and go on where it was.
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
	struct str text; /* not written yet; may be added to */
	size_t paused;	 /* columns before text */
	size_t painted;	 /* bytes of text that take no column */
	pid_t first;	 /* the thread that printed first */
	bool threads;	 /* another one has printed */
};

/* Whose line it is, and when. */
struct line_head {
	pid_t tid;
	uint64_t when;
	addr_t return_address; /* of calls only */
	unsigned depth;
	bool call;
};

enum line_paint {
	LINE_NAME,
	LINE_NOTE, /* unfinished, resumed, unwound */
	LINE_ERROR,
	LINE_DURATION,
	LINE_EVENT, /* signals, ends */
};

void line_init(struct line *line, const struct look *look, struct out *out);
void line_release(struct line *line);

/* Starts with the prefix. Before the next one, line_end(). */
void line_begin(struct line *line, const struct line_head *head);
/* What is added between the two is in colour, where there are colours. */
void line_paint(struct line *line, enum line_paint paint);
void line_plain(struct line *line);
/* To where "= value" begins, at least one space on. */
void line_align(struct line *line);
/* Writes what there is, without a newline; it can be added to. */
void line_pause(struct line *line);
void line_end(struct line *line);

#endif
