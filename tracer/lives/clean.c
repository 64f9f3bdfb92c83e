/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Only the bytes can be restored without a thread of the program. The other
 * steps are system calls of a stopped thread. */
#include "tracer/lives/clean.h"

#include "process/remote.h"
#include "tracer/attach/stale_code.h"
#include "tracer/sigtrap/sigtrap.h"

#include <errno.h>

void
program_lift(struct program *program)
{
	semaphores_lower(&program->semaphores);
	sites_lift_all(&program->sites);
}

int
program_clean(struct program *program, struct thread *thread, bool newborn)
{
	struct sites *sites = &program->sites;
	int r;

	if (remote_given_up(sites->table, program->space))
		return -EBUSY;
	slots_restore_slack(&sites->slots, program->space);
	stale_code_tidy(program);
	r = sigtrap_disarm(program, thread);
	if (r < 0 || !sites->survive.code)
		return r;
	return survive_end(&sites->survive, &sites->slots, sites->table, thread,
			   program->scratch, newborn);
}
