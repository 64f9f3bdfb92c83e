/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which thread's end is the end of its process. */
#ifndef TRACER_RUN_ENDING_H
#define TRACER_RUN_ENDING_H

#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

/* Call this once for each thread, when it is about to end and its memory can
 * still be read. Returns true if the process ends with it: no other thread runs
 * the program's code any more. If all threads end together, this is true of
 * several of them. */
bool ending_ends_process(struct session *session, struct thread *thread);

extern const struct life ending_life;

#endif
