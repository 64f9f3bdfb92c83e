/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Does a SIGTRAP belong to xtrace or to the program? */
#ifndef TRACER_SIGTRAP_WHOSE_H
#define TRACER_SIGTRAP_WHOSE_H

#include "tracer/model/session.h"

#include <signal.h>

/*
 * Called when xtrace leaves or lets the thread go to another tracer: sets the
 * pc of the thread of a STOP_TRAP back to the site, and shows nothing. True if
 * the trap was ours. A pending SIGTRAP that the thread blocks may have come in
 * the trap's place; then *ret_held has that signal, for sigtrap_hold_again().
 */
bool trap_undo(struct session *session, struct thread *thread,
	       siginfo_t *ret_held);

/* Moves the stopped thread to where it would be without xtrace. Called before
 * the signal is delivered; signal is 0 if the thread takes none. */
void trap_before_signal(struct session *session, struct thread *thread,
			int signal);

/* The site at which the stopped thread has trapped, or NULL. A pending SIGTRAP
 * may have come in the trap's place; then *ret_held has that signal. */
struct site *trap_site(struct session *session, struct thread_record *record,
		       siginfo_t *ret_held);

/* A thread that has trapped at a boundary of a jump (breakpoints/jumps.h). */
struct boundary {
	struct site *site;
	addr_t pc;   /* the boundary */
	addr_t slot; /* the displaced instruction of the boundary */
	bool ours; /* false: a SIGTRAP of the program's own came in its place */
};

/* Has the stopped thread trapped at a boundary? Called if trap_site() has found
 * no site. */
bool trap_boundary(struct session *session, struct thread_record *record,
		   struct boundary *ret_boundary);

#endif
