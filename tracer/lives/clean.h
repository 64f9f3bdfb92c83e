/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A program is restored: first the bytes of its text, then the action of
 * SIGTRAP, last xtrace's mappings are removed.
 */
#ifndef TRACER_LIVES_CLEAN_H
#define TRACER_LIVES_CLEAN_H

#include "tracer/model/session.h"

/* Restores all bytes and leaves the slots safe to run in; the records are
 * kept. */
void program_lift(struct program *program);

/*
 * Removes everything that xtrace has mapped: the stopped thread unmaps the
 * slots and the handler area. No thread may be in a slot or in the handler.
 * newborn: the program was forked just now, and has not run yet. 0, or a
 * negative errno if the mappings must stay.
 */
must_check int program_clean(struct program *program, struct thread *thread,
			     bool newborn);

#endif
