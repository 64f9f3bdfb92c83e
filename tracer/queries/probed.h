/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The behaviour of a function for which a set has a probe. */
#ifndef TRACER_QUERIES_PROBED_H
#define TRACER_QUERIES_PROBED_H

#include "tracer/report/report.h"

/* These are functions of struct behaviour, where their contracts are
 * written. */
must_check int probed_entered(struct hit *hit, struct tracepoint *tracepoint,
			      addr_t return_address);
void probed_begun(struct hit *hit, struct call *call);
void probed_over(struct session *session, struct thread_record *record,
		 struct call *call, enum call_end how);

/* Are spans open? */
bool probed_follows(const struct session *session);
/* Is a span open whose key ends with the handle? */
bool probed_follows_handle(const struct program *program, uint64_t handle);

#endif
