/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Is a SIGTRAP xtrace's, or the program's own? */
#ifndef TRACER_SIGTRAP_WHOSE_H
#define TRACER_SIGTRAP_WHOSE_H

#include "tracer/model/session.h"

#include <signal.h>

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

/* The site that the stopped thread has trapped at, or NULL. In the trap's place
 * may be a SIGTRAP that was held for it: held has a signal then. */
struct site *trap_site(struct session *session, struct actor *actor,
		       siginfo_t *ret_held);

#endif
