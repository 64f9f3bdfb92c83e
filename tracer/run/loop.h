/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The run of a session, from its first stop to its last. */
#ifndef TRACER_RUN_LOOP_H
#define TRACER_RUN_LOOP_H

#include "tracer/model/session.h"

/* Prepares a session whose options, clockwork, tee and outs are set. Call this
 * before the session begins. */
void session_init(struct session *session);

/* Runs until the last tracee has ended or xtrace is told to leave. */
void session_run(struct session *session);
void session_release(struct session *session);

#endif
