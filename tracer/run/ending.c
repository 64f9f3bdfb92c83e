/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread may end by itself while others run, also the leader, whose end is
 * reported to its parent only after theirs. So the end of a thread by itself
 * (exit(2)) is that of the process only if all others have ended.
 *
 * If the threads end together, because of exit_group(2) or a signal, none of
 * them runs its code again. The leader's end then counts, and so does each end
 * that is announced after it.
 */
#include "tracer/run/ending.h"

#include "process/regs.h"

#include <sys/syscall.h>

static bool
ends_by_itself(struct session *session, struct thread *thread)
{
	const struct regs *regs = thread_regs(&session->table, thread);
	const struct arch *arch = thread->process->space->arch;

	return regs && arch->system_call->number(regs) == SYS_exit;
}

bool
ending_ends_process(struct session *session, struct thread *thread)
{
	bool others = false, leader = false, known = false;

	session_record(session, thread)->ending = true;
	list_each(link, after, &thread->process->threads) {
		struct thread *other = list_item(link, struct thread, sibling);
		bool ending = session_record(session, other)->ending;

		others |= !ending;
		if (other->tid == other->process->pid) {
			leader = ending;
			known = true;
		}
		if (others && known)
			break;
	}
	return !others || (leader && !ends_by_itself(session, thread));
}

/* The leader has ended for a thread that executes another program, and this
 * thread takes its place. */
static void
execed(struct thread_record *record)
{
	record->ending = false;
}

const struct life ending_life = {
	.execed = execed,
};
