/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The spans of a set: calls of probed functions begin them, are told when the
 * answer begins, and end them (ACT_BEGIN, ACT_ANSWERED, ACT_LINK, ACT_END).
 */
#ifndef TRACER_QUERIES_PROBE_SPANS_H
#define TRACER_QUERIES_PROBE_SPANS_H

#include "tracer/queries/probes.h"

/* The call has been entered: it begins a span, or belongs to an open one. If it
 * is perhaps in the middle of a query of which the beginning was left out,
 * of->probing->nested is set: the call is not shown. */
void probe_span_begin(struct probed *of, uint64_t now);

/* The call has returned, after queries were left out: notes which statement is
 * at its beginning now, so that its next query is shown. */
void probe_span_seen(struct probed *of);

/* The call has returned. If it has ended a span that it began itself,
 * of->probing->ended is set; if it has ended another span, the sinks are
 * told. */
void probe_span_returned(struct probed *of, uint64_t now);

/* How a span ends whose end was not seen. If it was answered, the program has
 * given up what was left of the rows. */
enum call_end probe_span_lost(const struct call_span *span, enum call_end how);

/* A part of the answer was read: it took this time, which belongs to no call of
 * a probe, and has these bytes. */
void probe_span_read(struct session *session, struct call_span *span,
		     const struct span_time *time, uint64_t bytes,
		     uint64_t now);

#endif
