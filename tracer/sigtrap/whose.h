/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP is about to be delivered: ours, or the program's own.
 */
#ifndef TRACER_TRAP_H
#define TRACER_TRAP_H

#include "tracer/session.h"

#include <signal.h>

/* Deals with a STOP_TRAP and sends the thread on. */
void trap_taken(struct session *session, const struct stop *stop);

/* Deals with a STOP_STEP: the thread is past its site, and sent on. */
void trap_stepped(struct session *session, const struct stop *stop);

/*
 * While leaving: puts the thread of a STOP_TRAP right, shows nothing. True
 * where the trap was ours; in its place may be a SIGTRAP which its thread
 * blocks, for sigtrap_hold_again(): held has a signal then.
 */
bool trap_undo(struct session *session, struct thread *thread,
	       siginfo_t *ret_held);

/* A signal is to be delivered: the thread is seen where it would be without
 * us. */
void trap_before_signal(struct session *session, struct thread *thread,
			int signal);

#endif
