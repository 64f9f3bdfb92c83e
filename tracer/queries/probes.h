/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a call for which a set has a probe (conf/model/probe.h) is shown: which
 * arguments are shown, what is remembered, which span the call begins or ends,
 * and whether it is shown at all. A call inside another call of its set is not
 * shown: the functions that PQexec() calls are not separate queries.
 */
#ifndef TRACER_QUERIES_PROBES_H
#define TRACER_QUERIES_PROBES_H

#include "conf/model/probe.h"
#include "tracer/model/handles.h"
#include "tracer/report/report.h"
#include "tracer/model/spans.h"

struct capture;

/* What probes remember, for all processes of a session with sets. */
struct memory {
	struct handles handles;
	struct spans spans;
	/* Queries may have been left out for a while (--budget). If a statement
	 * was not seen since then, it is unknown whether it is at its
	 * beginning. */
	bool cut;
};

struct memory *memory_new(void);
void memory_free(struct memory *memory);

/* What this room stores for a call that has a probe. */
struct probing {
	const struct probe *probe;
	bool nested;
	bool unknown; /* the call executes a statement of unknown text */
	bool shows;   /* an event of the call is shown, now or at its end */
	bool told;    /* the entry of the call was shown */
	/* the call began the span; if false, the call only belongs to it */
	bool began;
	bool ended;	    /* the span has ended */
	bool cut;	    /* the span was ended before this call returned */
	bool announced;	    /* the sinks know that the call is open */
	uint64_t told_open; /* when the last EVENT_OPEN of the call was told */
	struct call *call;  /* the call whose record this is */
	struct call_span *span;
	struct event_outcome outcome;
};

/* The record of a call, or NULL if it has none. */
struct probing *probes_probing(const struct call *call);

/* Is one of the calls that of a probed function? */
bool probes_within(const struct calls *calls);

/* What probes need to know of a call at one stop of its thread. */
struct probed {
	struct session *session;
	struct program *program;
	struct thread_record *record;
	struct call *call;
	struct probing *probing;
	addr_t function;
	const struct regs *regs; /* the registers at the entry, else NULL */
	struct capture *memory;	 /* the memory at this stop */
};

/* The arguments of the call have been fetched. Returns true if the entry is
 * shown now. If not, the capture has what will be needed later. */
must_check bool probes_enter(struct probed *of, uint64_t now);

/*
 * The call has ended, as call->event says. Shows the call or the span if that
 * is wanted. Returns true if the call has begun a span that is still open; then
 * the call must not be freed.
 */
must_check bool probes_leave(struct probed *of, uint64_t now);

/* The span has ended: tells the sinks and frees it. */
void probes_tell_span(struct session *session, struct call_span *span,
		      enum call_end how, uint64_t now);

/* Adds what is known of the span to the outcome of the call that began it. */
void probes_take_span(struct event_outcome *outcome,
		      const struct call_span *span);

/* Copies the outcome of the span to the event. */
void probes_take_outcome(struct event_call *event,
			 struct event_outcome *outcome);

/* Is the address in a library whose functions have probes? */
must_check bool probes_of_caller(const struct program *program, addr_t address);

/* When a program ends, its open spans end, and the sinks are told. */
extern const struct life probes_life;

/* Does any thread have a query of which more calls are to come, or whose answer
 * has not come? */
bool probes_open(const struct session *session);

#endif
