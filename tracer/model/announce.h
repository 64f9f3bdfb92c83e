/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What xtrace says of itself, besides messages, when the trace is on a
 * terminal. */
#ifndef TRACER_MODEL_ANNOUNCE_H
#define TRACER_MODEL_ANNOUNCE_H

#include "tracer/model/session.h"

/* Announces that xtrace is attached to the process, and how many functions it
 * traces in it. */
void announce_attached(struct session *session, const struct process *process,
		       size_t functions);

/* Announces the end of the trace, and how many calls were seen. */
void announce_end(const struct session *session);

#endif
