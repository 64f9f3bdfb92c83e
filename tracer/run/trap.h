/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP is about to be delivered: ours, or the program's own.
 */
#ifndef TRACER_RUN_TRAP_H
#define TRACER_RUN_TRAP_H

#include "tracer/model/session.h"

/* Deals with a STOP_TRAP and sends the thread on. */
void trap_taken(struct session *session, const struct stop *stop);

/* Deals with a STOP_STEP: the thread is past its site, and sent on. */
void trap_stepped(struct session *session, const struct stop *stop);

#endif
