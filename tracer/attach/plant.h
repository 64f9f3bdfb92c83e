/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Planting during the attach. The traps need memory for their slots and the
 * handler area, and a thread of the program has to map it.
 */
#ifndef TRACER_ATTACH_PLANT_H
#define TRACER_ATTACH_PLANT_H

#include "tracer/model/session.h"

/* The traps in program->planned->pending get their slots and are planted: now,
 * or when a thread hits a tripwire. 0 or -ESRCH. */
must_check int inject_and_plant(struct program *program,
				struct process *process);

/* The thread has hit a tripwire. 0 or -ESRCH. */
must_check int inject_at_tripwire(struct program *program,
				  struct thread *thread);

#endif
