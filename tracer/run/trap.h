/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A SIGTRAP is about to be delivered: xtrace's or the program's own. */
#ifndef TRACER_RUN_TRAP_H
#define TRACER_RUN_TRAP_H

#include "tracer/model/session.h"

/* Handles a STOP_TRAP and resumes the thread. */
void trap_taken(struct session *session, const struct stop *stop);

/* Handles a STOP_STEP: the thread is past its site, and is resumed. */
void trap_stepped(struct session *session, const struct stop *stop);

#endif
