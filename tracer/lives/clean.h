/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program becomes as it was: first the bytes of its text, then the action of
 * SIGTRAP, last what xtrace has mapped.
 */
#ifndef TRACER_LIVES_CLEAN_H
#define TRACER_LIVES_CLEAN_H

#include "tracer/model/session.h"

/* All bytes back, slots left safe; the records stay. */
void program_lift(struct program *program);

/*
 * Nothing of ours stays mapped: the handler's place is given back and the
 * slots are unmapped, by the stopped thread. No thread may be in a slot or
 * in the handler. 0, or
 * a negative errno where they must stay.
 */
must_check int program_clean(struct program *program, struct thread *thread);

#endif
