/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a program: an exec or an attach begins it, a fork copies it, and
 * it ends with its space.
 */
#ifndef TRACER_MODEL_PROGRAM_H
#define TRACER_MODEL_PROGRAM_H

#include "output/event.h"
#include "tracer/model/session.h"

/* Makes a program, and registers it with the session. */
struct program *program_new(struct session *session, struct space *space);
/* The child's memory is a copy of the parent's, including the traps. If
 * threaded is set, other threads have run since the copy was made, so the copy
 * shows an earlier state. */
struct program *program_fork(struct program *parent, struct space *space,
			     bool threaded);
/* Ends the program's open calls and spans with the end `how`: the program has
 * ended or is being left. */
void program_ends(struct program *program, enum call_end how);
/* The thread has ended or is let go; other threads may run the program. */
void program_thread_ends(struct program *program,
			 const struct thread_record *record);
/* Frees the program and what the rooms store for it. Writes nothing to the
 * tracee. */
void program_free(struct program *program);

#endif
