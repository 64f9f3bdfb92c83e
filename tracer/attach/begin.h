/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A session begins: it attaches to processes, or starts the command. */
#ifndef TRACER_ATTACH_BEGIN_H
#define TRACER_ATTACH_BEGIN_H

#include "process/spawn.h"
#include "tracer/model/session.h"

/* 0, or a negative errno with a sentence in err. After an error some processes
 * may already be attached to: session_leave() detaches from them. */
must_check int session_begin(struct session *session, struct err *err);

/* How the session's command is started. */
struct spawn_request session_request(struct session *session);

#endif
