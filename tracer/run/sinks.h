/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Who gets told, and where they write: the sinks that the options ask for. */
#ifndef TRACER_RUN_SINKS_H
#define TRACER_RUN_SINKS_H

#include "base/err.h"
#include "tracer/options/options.h"

struct out;
struct tee;

/* That of the trace, and one of each format. */
#define OUTS_MOST (FORMATS + 1)

struct sinks {
	struct tee *tee;
	struct out *outs[OUTS_MOST + 1]; /* NULL-terminated */
	struct look look;  /* as in the options, and what the outs decide */
	int split_failure; /* of -ff: a negative errno, or 0 */
};

/*
 * -errno with a sentence when a file cannot be opened; sinks_close() is called
 * then as well.
 */
must_check int sinks_open(struct sinks *sinks, const struct options *options,
			  struct err *err);
/* Tables are printed, files closed. A failed write is said; 0 or -errno. */
int sinks_close(struct sinks *sinks);

#endif
