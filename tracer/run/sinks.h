/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sinks that the options ask for, and the outs that they write to. */
#ifndef TRACER_RUN_SINKS_H
#define TRACER_RUN_SINKS_H

#include "base/err.h"
#include "tracer/options/options.h"

struct console;
struct out;
struct tee;

/* One out for the trace and one for each format. */
#define OUTS_MOST (FORMATS + 1)

struct sinks {
	struct tee *tee;
	struct console *console;	 /* --live, or NULL */
	struct out *outs[OUTS_MOST + 1]; /* NULL-terminated */
	struct look
		look;	/* the options' look, completed by what the outs are */
	char *subject;	/* the text to which look.command points */
	bool continues; /* files that are streams of events are appended to */
	int split_failure; /* the negative errno of an error with -ff, or 0 */
};

/*
 * -errno with a sentence if a file cannot be opened; sinks_close() must be
 * called then as well.
 */
must_check int sinks_open(struct sinks *sinks, const struct options *options,
			  struct err *err);
/* Prints tables and closes files. A failed write is reported. 0 or -errno. */
int sinks_close(struct sinks *sinks);

#endif
