/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread in state D waits uninterruptibly: for a page, for a lock of the
 * kernel's, for its vfork child, for a signal's frame to be written. It stops
 * only when that is over, be it after a microsecond or never. But where it is
 * does not change meanwhile, and /proc/PID/task/TID/syscall tells it: the
 * number of the system call, or -1 for a fault, and the pc that the thread goes
 * on from.
 *
 *	in a system call	its pc is behind the syscall instruction
 *	-1, pc in a slot or in
 *	our handler		it goes on there, and what we mapped must stay
 *	-1, pc behind a site	it may have trapped, with the signal to come
 *	-1, elsewhere		it runs that instruction again. All traps are
 *				lifted, so it comes to nothing of ours
 *
 * One case looks like the last, or like the first: the kernel writes the frame
 *of a SIGTRAP that we have passed on, and the thread then enters our handler.
 *Its stack pointer is still that of the stop (thread->handed_sp).
 */
#include "tracer/lives/leave_wait.h"

#include "base/clock.h"
#include "base/log.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/model/say.h"
#include "tracer/sigtrap/sigtrap.h"

#include <sched.h>
#include <sys/syscall.h>

/* How long leaving may wait: for the threads to come to rest, then for what we
 * mapped to be removed. Threads that wait for a CPU stop one after the other.
 */
#define REST_NS (CLOCK_SECOND * 3 / 2)
#define REST_THREAD_NS (CLOCK_SECOND / 100)
#define CLEAN_NS (CLOCK_SECOND / 2)

/* How far the pc of a trapped thread is behind the site. */
#define TRAP_LENGTH 1

void
leave_wait_begin(struct session *session)
{
	session->table.deadline =
		clock_now() + REST_NS +
		session->table.everyone.count * REST_THREAD_NS;
}

void
leave_wait_clean(struct session *session)
{
	session->table.deadline += CLEAN_NS;
}

bool
leave_late(struct session *session)
{
	return wait_late(&session->table);
}

/* A copy of the memory is made, perhaps with traps that stood when it began.
 * One that waits for a vfork child has its memory in common with that. */
static bool
copies_memory(const struct blocked *blocked)
{
	return blocked->number == SYS_fork ||
	       (blocked->number == SYS_clone &&
		!(blocked->arguments[0] & (CLONE_VM | CLONE_VFORK)));
}

static char
state_of(pid_t tid)
{
	struct status status;

	return status_read(tid, &status) == 0 ? status.state : 'X';
}

/* A nudged thread has a mask that only its next stop puts back. */
static bool
faults_elsewhere(const struct program *program, const struct thread *thread,
		 const struct blocked *blocked)
{
	return !thread->nudged &&
	       !slots_cover(&program->sites.slots, blocked->pc) &&
	       !sites_find(&program->sites, blocked->pc - TRAP_LENGTH) &&
	       state_of(thread->tid) == 'D';
}

bool
leave_may_have_trapped(struct session *session, const struct thread *thread)
{
	const struct program *program =
		session_program(session, thread->process->space);
	struct blocked blocked;

	if (thread->state == THREAD_LISTENING)
		return false;
	if (status_blocked(thread->process->pid, thread->tid, &blocked) < 0 ||
	    blocked.running)
		return true;
	if (blocked.number >= 0)
		return copies_memory(&blocked);
	return !program || !faults_elsewhere(program, thread, &blocked);
}

/*
 * A thread that sleeps in a system call may be in the handler, too, because
 * /proc names the call that a signal has ended until the handler returns: the
 * thread is at the first instruction, where an interrupt has stopped it that
 * came after the stop of which we know.
 */
bool
leave_may_be_in_handler(struct session *session, const struct thread *thread)
{
	const struct program *program =
		session_program(session, thread->process->space);
	struct blocked blocked;
	char state;

	if (thread->state == THREAD_LISTENING || !program)
		return false;
	if (status_blocked(thread->process->pid, thread->tid, &blocked) < 0 ||
	    blocked.running || slots_cover(&program->sites.slots, blocked.pc))
		return true;
	state = state_of(thread->tid);
	if (state == 'D')
		return blocked.sp == thread->handed_sp &&
		       sigtrap_wanted(program);
	return blocked.number < 0 || (state == 'R' && sigtrap_wanted(program));
}

const struct thread *
leave_held(const struct session *session, const struct space *space)
{
	const struct table *table = &session->table;

	for (size_t i = 0; i < table->everyone.count; i++) {
		const struct thread *thread = table->everyone.at[i];

		if (thread->process->space == space &&
		    (thread->stub || state_of(thread->tid) == 'D'))
			return thread;
	}
	return NULL;
}

void
leave_unknown(struct session *session, pid_t tid)
{
	const struct thread *thread = table_thread(&session->table, tid);
	struct program *program =
		thread ? session_program(session, thread->process->space)
		       : NULL;

	debug("%d does not settle", tid);
	if (program)
		program->stays = true;
}

void
leave_behind(struct session *session, pid_t tid)
{
	const struct thread *thread = table_thread(&session->table, tid);
	char where[STATUS_PLACE];
	struct blocked blocked;
	bool copies;

	if (!thread)
		return;
	copies = status_blocked(thread->process->pid, tid, &blocked) == 0 &&
		 !blocked.running && copies_memory(&blocked);
	if (!copies)
		leave_unknown(session, tid);
	status_place(thread->process->pid, tid, where, sizeof(where));
	debug("%d: the time is over: %s", tid, where);
	if (strmap_get(&session->said, "left"))
		return;
	strmap_put(&session->said, "left", session);
	say("thread %d of process %d cannot be stopped (%s): %s", tid,
	    thread->process->pid, where,
	    copies ? "the child that it forks has its own copy of the traps, "
		     "which do no harm"
		   : "some memory of xtrace stays mapped there, which does no "
		     "harm");
}
