/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the sinks and the filters need to know of calls. What they do not need
 * is not read. */
#ifndef TRACER_MODEL_WANTS_H
#define TRACER_MODEL_WANTS_H

#include <stdbool.h>
#include <stdint.h>

struct wants {
	bool values;	  /* arguments and results are read */
	bool whole_texts; /* texts are read to their end */
	bool sql;	  /* arguments that are SQL are read */
	bool ends;	  /* how a call ends decides whether it is shown */
	/* sums of calls only, which may be made inside the program */
	bool sums;
	bool sum_times; /* the sums have their struct event_times */
	/* only calls that --min-time or --if selects; other calls may be left
	 * out inside the program */
	bool selected;
	uint64_t least; /* no sink needs a call of less than this, in ns */
	/* the struct event_server of queries is filled in */
	bool servers;
	bool callers; /* the module that calls is found out */
	/* The trace shows the calling module, because it may be a module other
	 * than the program. */
	bool caller_shown;
};

#endif
