/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaving without a trace: bytes restored, threads restored, no system call
 * interrupted. */
#ifndef TRACER_LIVES_LEAVE_H
#define TRACER_LIVES_LEAVE_H

#include "tracer/model/session.h"

void session_leave(struct session *session);

#endif
