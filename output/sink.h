/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink makes lines, a table or a picture of the stream of events. It never
 * reads a tracee, and it does not choose where its bytes go: it writes to the
 * struct out that it was opened with.
 */
#ifndef OUTPUT_SINK_H
#define OUTPUT_SINK_H

#include "base/attr.h"
#include "base/err.h"
#include "output/event.h"
#include "output/look.h"

#include <stdbool.h>
#include <stddef.h>

struct out;

struct sink {
	const struct sink_ops *ops;
	unsigned index; /* index in event_call.kept; the tee sets it */
};

struct sink_ops {
	const char *name;
	bool whole; /* the sink reads texts to their end */
	/* of the arguments, the sink reads only SQL */
	bool sql;
	/* The file consists of events, one after another, so that it can be
	 * continued in another file (out_rotate()). */
	bool stream;
	bool blind; /* the sink reads no arguments and no results */
	/* sums: the sink accepts EVENT_SUM in place of single calls. times: it
	 * needs the struct event_times of such an event. */
	bool sums;
	bool times;
	/* The sink writes the times that were not watched
	 * (EVENT_UNWATCHED). */
	bool gaps;
	/* The sink needs no call that takes less than look->min_duration. */
	bool skips_brief;
	/* the sink reads the struct event_server of a call, and the struct
	 * event_trace of a request */
	bool servers;
	void (*event)(struct sink *sink, const struct event *event);
	/* Called once per second to write what waits. May be NULL. */
	void (*tick)(struct sink *sink);
	/* Called before a message is written to stderr: removes a text from
	 * the terminal that the sink would replace later. May be NULL. */
	void (*make_room)(struct sink *sink);
	/* Called some times per second, when no thread is held: makes a new
	 * page of the terminal. The calls in flight were told before
	 * (EVENT_OPEN). May be NULL. */
	void (*draw)(struct sink *sink);
	/* After draw(): true if the user now wants the stacks of all threads
	 * (EVENT_STACK). It is true once each time that the user asks. May be
	 * NULL. */
	bool (*wants_stacks)(struct sink *sink);
	/* Takes a message, so that it is not written to stderr. False if it
	 * must be written. May be NULL. */
	bool (*message)(struct sink *sink, const char *line);
	/* Called at the end of the run: prints tables, flushes, and frees the
	 * sink. */
	void (*close)(struct sink *sink);
};

/* The constructors: of lines, of histograms, of the tables of growth and of
 * samples, then of each format. look and out must exist as long as the sink. */
struct sink *text_sink_new(const struct look *look, struct out *out);
struct sink *histograms_sink_new(const struct look *look, struct out *out);
struct sink *growths_sink_new(const struct look *look, struct out *out);
struct sink *samples_sink_new(const struct look *look, struct out *out);
#define FORMAT(name, option, word, extension, stacks, constructor, help) \
	struct sink *constructor(const struct look *look, struct out *out);
#include "output/formats.def"

#endif
