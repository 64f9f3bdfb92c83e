/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The life of a program: born at an exec or an attach, copied by a fork,
 * forgotten when its space is gone.
 */
#ifndef TRACER_PROGRAM_H
#define TRACER_PROGRAM_H

#include "tracer/session.h"

/* Registers it with the session. */
struct program *program_new(struct session *session, struct space *space);
/* The child's memory is a copy of the parent's, traps and all; threaded: and
 * of an earlier time, for other threads have gone on since. */
struct program *program_fork(struct program *parent, struct space *space,
			     bool threaded);
/* Writes nothing to the tracee. */
void program_free(struct program *program);

/* All bytes back, slots left safe; the records stay. */
void program_lift(struct program *program);

/* What SIGTRAP does is the program's affair again, by the stopped thread. What
 * program_clean() does first; by itself it lets those go on that are in our
 * handler still. */
must_check int program_disarm(struct program *program, struct thread *thread);

/*
 * Nothing of ours stays mapped: the handler's place is given back and the
 * slots are unmapped, by the stopped thread. No thread may be in a slot or
 * in the handler. 0, or
 * a negative errno where they must stay.
 */
must_check int program_clean(struct program *program, struct thread *thread);

/* Forgets the module, its sites and what was planned for them. */
void program_drop_module(struct program *program, struct module *module);

#endif
