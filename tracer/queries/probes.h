/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What is made of a call of which a set has a probe (conf/model/probe.h): which
 * of its arguments are shown, what is remembered of it, which span it begins or
 * ends, whether it is told at all. A call within another of its set is not:
 * what PQexec() calls itself is no query of its own.
 */
#ifndef TRACER_QUERIES_PROBES_H
#define TRACER_QUERIES_PROBES_H

#include "conf/model/probe.h"
#include "tracer/model/handles.h"
#include "tracer/report/report.h"
#include "tracer/model/spans.h"

struct capture;

/* Of all processes, in a session with sets. */
struct memory {
	struct handles handles;
	struct spans spans;
};

struct memory *memory_new(void);
void memory_free(struct memory *memory);

/* What the roof keeps of a call that has a probe. */
struct probing {
	const struct probe *probe;
	bool nested;
	bool shows; /* something is told of it, now or when it is over */
	bool told;  /* its entry has been */
	bool began; /* the span, rather than only belonging to it */
	bool ended; /* ... and its span is over */
	struct call_span *span;
	struct event_outcome outcome;
};

/* Of a call that has one, or NULL. */
struct probing *probes_probing(const struct call *call);

/* The call as probes see it. */
struct probed {
	struct session *session;
	struct program *program;
	struct actor *actor;
	struct call *call;
	struct probing *probing;
	addr_t function;
	struct capture *memory; /* of this moment */
};

/* Its arguments have been fetched. True: its entry is to be told now; what
 * will be asked for later is in the capture otherwise. */
must_check bool probes_enter(struct probed *of, uint64_t now);

/*
 * The call is over, as call->event says. Tells what is to be told. True: the
 * call was the beginning of something that goes on, and is not to be freed.
 */
must_check bool probes_leave(struct probed *of, uint64_t now);

/* The span is over: told, and freed. */
void probes_tell_span(struct session *session, struct call_span *span,
		      enum call_end how, uint64_t now);

/* What is known of the whole becomes the event's. */
void probes_take_outcome(struct event_call *event,
			 struct event_outcome *outcome);

/* What began in a program and goes on is told as it stands at its end. */
extern const struct life probes_life;

#endif
