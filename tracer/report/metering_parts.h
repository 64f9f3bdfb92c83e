/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files of metering.h share. */
#ifndef TRACER_REPORT_METERING_PARTS_H
#define TRACER_REPORT_METERING_PARTS_H

#include "agent/area.h"
#include "base/vec.h"
#include "tracer/model/tracepoint.h"

struct program;

struct metering {
	struct area area;
	/* The functions that have meters, by the number of their sums. */
	vec_of(struct tracepoint *) functions;
	unsigned forgotten; /* sites.forgotten at the last look */
	bool refused;	    /* no area, or meters have faulted */
};

/* A thread that is counted. */
struct metered {
	struct program *program;
	addr_t pointer; /* the thread pointer */
	unsigned block;
	/* The sums were read and the block is closed: nothing is lost if the
	 * thread execs now. */
	bool complete;
	uint64_t own; /* the thread's own time when it was last resumed */
	struct meter_sum told[METER_SUMS]; /* what the sinks know */
};

#endif
