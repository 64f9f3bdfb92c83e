/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a program: it begins with an exec or an attach, a fork copies it,
 * and it ends with its space.
 */
#ifndef TRACER_MODEL_PROGRAM_H
#define TRACER_MODEL_PROGRAM_H

#include "output/event.h"
#include "tracer/model/session.h"

/* Registers it with the session. */
struct program *program_new(struct session *session, struct space *space);
/* The child's memory is a copy of the parent's, traps and all; threaded: and
 * of an earlier time, for other threads have gone on since. */
struct program *program_fork(struct program *parent, struct space *space,
			     bool threaded);
/* What is under way in it is told as it stands: it is gone, or let go of. */
void program_ends(struct program *program, enum call_end how);
/* Writes nothing to the tracee. */
void program_free(struct program *program);

#endif
