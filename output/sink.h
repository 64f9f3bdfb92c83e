/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A sink makes something of the stream of events: lines, a table, a picture.
 * It never reads a tracee, and it never decides where its bytes go: it writes
 * to a struct out that it was opened with.
 */
#ifndef OUTPUT_SINK_H
#define OUTPUT_SINK_H

#include "base/attr.h"
#include "base/err.h"
#include "output/event.h"
#include "output/look.h"

#include <stddef.h>

struct out;

struct sink {
	const struct sink_ops *ops;
	unsigned index; /* of event_call.kept, set by the tee */
};

struct sink_ops {
	const char *name;
	bool whole; /* looks at texts to their end */
	bool sql;   /* blind, but for arguments of SQL */
	bool blind; /* looks at no argument and no result */
	void (*event)(struct sink *sink, const struct event *event);
	/* A second has passed: what waits is written. May be NULL. */
	void (*tick)(struct sink *sink);
	/* The run is over: tables are printed, everything flushed. Frees. */
	void (*close)(struct sink *sink);
};

/* The constructors; look and out outlive the sink. First that of lines. */
struct sink *text_sink_new(const struct look *look, struct out *out);
#define FORMAT(name, option, word, extension, stacks, constructor, help) \
	struct sink *constructor(const struct look *look, struct out *out);
#include "output/formats.def"

#endif
