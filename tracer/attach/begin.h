/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session begins: it attaches to processes, or starts the command. */
#ifndef TRACER_ATTACH_BEGIN_H
#define TRACER_ATTACH_BEGIN_H

#include "process/spawn.h"
#include "tracer/model/session.h"

/* 0, or a negative errno with a sentence in err. After an error some processes
 * may already be attached to: session_leave() detaches from them. */
must_check int session_begin(struct session *session, struct err *err);

/* Attaches to one more process, with its descendants if they are followed.
 * Called between two stops. Returns 0, even if the process has ended or is left
 * out; else a negative errno with a sentence. The user is told what is left
 * out. */
must_check int session_join(struct session *session, pid_t pid,
			    struct err *err);

/* Tells how the session's command is to be started. */
struct spawn_request session_request(struct session *session);

#endif
