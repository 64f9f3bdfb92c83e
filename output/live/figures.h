/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The figures of the table: the rows of a summary that the filter lets pass, in
 * the order that the user has chosen, and the sums of all rows.
 */
#ifndef OUTPUT_LIVE_FIGURES_H
#define OUTPUT_LIVE_FIGURES_H

#include "base/vec.h"
#include "output/live/view.h"
#include "output/tables/summary_rows.h"

#include <stdint.h>

/* The numbers of a row that the table shows. */
struct figures_line {
	const struct summary_row *row;
	enum view_sort sort;
	/* in ns: the total time, and its 95th percentile */
	uint64_t total, p95;
	uint64_t calls, errors, rows;
	double rate;	/* calls a second, of the last second */
	bool known_p95; /* a call has ended whose beginning was seen */
	bool known_rows, known_errors;
	bool place; /* the name is a place in a file */
};

struct figures {
	const struct summary_rows *of;
	/* The calls of the rows are samples, and their time is what the samples
	 * stand for. They have no percentile, errors and rows. */
	bool sampled;
	bool places; /* the names of the rows are places in files */
	vec_of(struct figures_line) lines;
	vec_of(double) rates; /* of all rows, in their order */
	uint64_t counted;     /* when the rates were counted, by clock_now() */
	/* of all rows, whatever the filter is */
	uint64_t calls, errors;
	int64_t spent;
	double rate;
};

/* now: when counting begins. rows must exist as long as figures. */
void figures_init(struct figures *figures, const struct summary_rows *rows,
		  uint64_t now);
void figures_release(struct figures *figures);

/* Counts the calls of the last second: the recent tallies of all rows are
 * merged into those of the whole run. */
void figures_count(struct figures *figures, uint64_t now);

/* Makes the lines of the rows that the filter lets pass, in this order. A row
 * passes if its name contains the filter's text, in capitals or not. */
void figures_choose(struct figures *figures, const char *filter,
		    enum view_sort sort);

/* Computes p95 of a line. figures_choose() does it only if it sorts by it. */
void figures_percentile(struct figures_line *line);

#endif
