/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A SIGTRAP of the program's own meets the action that stands when its thread
 * goes on. A trap of ours in a thread that blocks SIGTRAP takes that away
 * until it is dealt with (see tracer/sigtrap.c), and the C library blocks all
 * signals for moments: so the action is looked at, and waited for, before such
 * a signal is delivered. That another thread traps between our look and the
 * delivery is not ruled out.
 */
#include "tracer/sigtrap.h"

#include "base/log.h"
#include "process/regs.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/borrow.h"
#include "tracer/dispatch.h"

#include <signal.h>
#include <time.h>

#define debug(...) debug_of(LOG_TRACER, __VA_ARGS__)

#define TRAP_BIT (UINT64_C(1) << (SIGTRAP - 1))
/* Looks for the action to stand again, a millisecond or less apart. */
#define LOST_LOOKS 200

/* Is ours not the action, where the program has one? */
static bool
is_lost(const struct program *program, const struct thread *thread)
{
	const struct survive *survive = &program->sites.survive;
	struct status status;

	return survive->code && sigtrap_wanted(program) &&
	       status_read(thread->tid, &status) == 0 &&
	       !(status.caught & TRAP_BIT);
}

/* Who else has trapped, and may have lost it: its tid, or 0. It is looked at at
 * its stop. */
static pid_t
find_loser(struct program *program, const struct thread *but)
{
	struct session *session = program->session;
	const struct table *table = &session->table;
	struct status status;

	for (size_t i = 0; i < table->everyone.count; i++) {
		struct thread *thread = table->everyone.at[i];
		struct actor *actor = session_actor(session, thread);

		if (thread == but || thread->state != THREAD_RUNNING ||
		    thread->process != but->process || actor->sigtrap.apart ||
		    status_read(thread->tid, &status) < 0 ||
		    (!(status.pending & TRAP_BIT) &&
		     !wait_trapped(&session->table, thread->tid)))
			continue;
		sigtrap_doubt(actor);
		return thread->tid;
	}
	return 0;
}

/* Nobody's trap is still to be dealt with: another thread sets it again. */
static void
restore_by_other(struct session *session, struct program *program,
		 struct process *process)
{
	struct thread *lender = borrow_lender(session, process);
	const struct regs *regs =
		lender ? thread_regs(&session->table, lender) : NULL;
	struct regs found;

	if (!regs)
		return;
	found = *regs;
	if (sigtrap_restore(program, session_actor(session, lender)) < 0)
		debug("%d vanished while it lent itself", lender->tid);
	borrow_give_back(session, lender->tid, &found);
}

/* One step towards it; the thread may be gone afterwards. */
static void
seek_action(struct session *session, struct program *program,
	    struct thread *thread)
{
	const struct timespec moment = { .tv_nsec = 200000 };
	pid_t other = find_loser(program, thread);
	struct stop stop;

	if (!other)
		restore_by_other(session, program, thread->process);
	else if (wait_poll(&session->table, other, &stop) == 0)
		dispatch(session, &stop);
	else
		nanosleep(&moment, NULL);
}

bool
sigtrap_await(struct session *session, pid_t tid)
{
	for (unsigned i = 0; i < LOST_LOOKS; i++) {
		struct thread *thread = table_thread(&session->table, tid);
		struct program *program;

		if (!thread || thread->state != THREAD_STOPPED)
			return false;
		program = session_program(session, thread->process->space);
		if (!program || session_actor(session, thread)->sigtrap.apart ||
		    !is_lost(program, thread))
			return true;
		seek_action(session, program, thread);
	}
	return table_thread(&session->table, tid) != NULL;
}
