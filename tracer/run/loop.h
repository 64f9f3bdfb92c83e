/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run of a session, from its first stop to its last. */
#ifndef TRACER_RUN_LOOP_H
#define TRACER_RUN_LOOP_H

#include "tracer/model/session.h"

/* After options, clockwork, tee and outs are set, before anything else. */
void session_init(struct session *session);

/* Until the last tracee is gone or we are told to leave. */
void session_run(struct session *session);
void session_release(struct session *session);

#endif
