/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planting while we attach: the traps need room for their slots and the
 * handler, which a thread of the program has to map.
 */
#ifndef TRACER_ATTACH_PLANT_H
#define TRACER_ATTACH_PLANT_H

#include "tracer/model/session.h"

/* The traps that wait in program->planned->pending get their room and are
 * planted, now or when a thread lends itself. 0 or -ESRCH. */
must_check int inject_and_plant(struct program *program,
				struct process *process);

/* The thread has trapped in an ambush. 0 or -ESRCH. */
must_check int inject_at_tripwire(struct program *program,
				  struct thread *thread);

#endif
