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
 * Called between two stops. 0, also if it has ended, or if it is left out,
 * which the user is told; else a negative errno with a sentence. */
must_check int session_join(struct session *session, pid_t pid,
			    struct err *err);

/* How the session's command is started. */
struct spawn_request session_request(struct session *session);

#endif
