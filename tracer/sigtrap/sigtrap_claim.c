/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Claims an action that the program may have set and no guard has seen, see
 * sigtrap.h.
 */
#include "tracer/sigtrap/sigtrap.h"

#include "tracer/model/session.h"

int
sigtrap_claim(struct program *program, struct thread *thread)
{
	bool reset = false;
	int r = action_claim(&program->sites, thread, NULL, &reset);

	program->sigtrap->unclaimed = false;
	program->sigtrap->standing.losses += reset;
	return r;
}
