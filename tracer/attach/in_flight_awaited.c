/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Some drivers wait in a loop, a part of a second each time. So if a thread has
 * run while xtrace read its state, xtrace reads the state again.
 */
#include "tracer/attach/in_flight_awaited.h"

#include "process/observation.h"
#include "tracer/model/rooms.h"
#include "tracer/model/session.h"

#include <errno.h>

#define TRIES_MOST 5u

void
in_flight_awaited(struct program *program, struct thread *thread,
		  const struct regs *regs, long number)
{
	struct session *session = program->session;

	(void)session->rooms->blocks(program, session_record(session, thread),
				     regs, number, NULL);
}

void
in_flight_awaited_by(struct program *program, struct thread *thread)
{
	struct session *session = program->session;
	pid_t pid = thread->process->pid;
	int r = -EAGAIN;

	for (unsigned i = 0; i < TRIES_MOST && r == -EAGAIN; i++) {
		struct observation seen;

		if (observation_take(pid, thread->tid, program->space, &seen) <
		    0)
			return;
		r = session->rooms->blocks(program,
					   session_record(session, thread),
					   &seen.regs,
					   seen.blocked ? seen.at.number : -1,
					   &seen);
	}
}
