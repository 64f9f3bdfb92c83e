/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What tracer/report has found out about a program. A fork's child begins
 * without findings. */
#ifndef TRACER_REPORT_FINDINGS_H
#define TRACER_REPORT_FINDINGS_H

#include <stdbool.h>
#include <stdint.h>

struct life;
struct native;
struct program;
struct sources;

struct findings {
	/* `sources` and `native` walk the stacks (-w); NULL if no stack was
	 * walked. */
	struct sources *sources;
	struct native *native;
	/* modules.changes when `sources` and `native` last read what they need
	 * of the modules */
	unsigned prepared;
	bool errno_known;
	int64_t errno_distance; /* distance of errno from the thread pointer */
};

extern const struct life findings_life;

/* The sources of the program's frames, made when they are first asked for. */
struct sources *findings_sources(struct program *program);

#endif
