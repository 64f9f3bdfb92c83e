/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread in state D waits uninterruptibly: for a page, for a lock of the
 * kernel, for its vfork child, or for a signal's frame to be written. It stops
 * only after that, in a microsecond or never. Its position does not change
 * meanwhile, and /proc/PID/task/TID/syscall tells it: the number of the system
 * call, or -1 for a fault, and the pc at which the thread will continue.
 *
 * 	in a system call	its pc is behind the syscall instruction
 * 	-1, pc in a slot or in
 * 	our handler		it continues there; the mappings must stay
 * 	-1, pc behind a site	it may have trapped, and the signal is pending
 * 	-1, elsewhere		it executes that instruction again. All traps
 * 				are lifted, so it cannot hit one
 *
 * One case looks like the last, or like the first: the kernel writes the frame
 * of a SIGTRAP that we have passed on, and then the thread enters our handler.
 * Its stack pointer is still the one of the stop (thread->handed_sp).
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

/* How long leaving may take: until the threads are restored, then until the
 * mappings are removed. Threads that wait for a CPU stop one after the
 * other. */
#define REST_NS (CLOCK_SECOND * 3 / 2)
#define REST_THREAD_NS (CLOCK_SECOND / 100)
#define CLEAN_NS (CLOCK_SECOND / 2)

/* The distance from a site to the pc of a thread that has trapped there. */
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

/* True if the system call copies the memory of the process, perhaps with traps
 * that were planted when the call began; --sample alone plants none. A thread
 * that waits for its vfork child shares its memory with the child, so nothing
 * is copied. */
static bool
copies_traps(const struct program *program, const struct thread *thread,
	     const struct blocked *blocked)
{
	const struct arch *arch = thread->process->space->arch;

	if (program && sites_untouched(&program->sites))
		return false;
	return blocked->number == SYS_fork ||
	       (blocked->number == arch->system_call->clone &&
		!(blocked->arguments[0] & (CLONE_VM | CLONE_VFORK)));
}

static char
state_of(pid_t tid)
{
	struct status status;

	return status_read(tid, &status) == 0 ? status.state : 'X';
}

/* Only the next stop of a nudged thread restores its signal mask. */
static bool
faults_elsewhere(const struct program *program, const struct thread *thread,
		 const struct blocked *blocked)
{
	return !thread->nudged &&
	       !slots_cover(&program->sites.slots, blocked->pc) &&
	       !sites_find(&program->sites, blocked->pc - TRAP_LENGTH) &&
	       !map_get(&program->sites.jump_traps,
			blocked->pc - TRAP_LENGTH) &&
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
	if (status_blocked(thread->process->space->arch, thread->process->pid,
			   thread->tid, &blocked) < 0 ||
	    blocked.running)
		return true;
	if (blocked.number >= 0)
		return copies_traps(program, thread, &blocked);
	return !program || !faults_elsewhere(program, thread, &blocked);
}

/*
 * A thread that sleeps in a system call may also be in the handler: /proc names
 * the call that a signal has ended until the handler returns. The thread is
 * then at the handler's first instruction, stopped by an interrupt that came
 * after the last stop that xtrace has seen.
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
	if (status_blocked(thread->process->space->arch, thread->process->pid,
			   thread->tid, &blocked) < 0 ||
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
		    (thread->given_up || state_of(thread->tid) == 'D'))
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

	debug("%d cannot be restored", tid);
	if (program)
		program->stays = true;
}

void
leave_behind(struct session *session, pid_t tid)
{
	const struct thread *thread = table_thread(&session->table, tid);
	char where[STATUS_PLACE];
	const struct program *program;
	struct blocked blocked;
	bool copies;

	if (!thread)
		return;
	program = session_program(session, thread->process->space);
	copies = status_blocked(thread->process->space->arch,
				thread->process->pid, tid, &blocked) == 0 &&
		 !blocked.running && copies_traps(program, thread, &blocked);
	if (!copies)
		leave_unknown(session, tid);
	status_place(thread->process->pid, tid, where, sizeof(where));
	debug("%d was not restored in time: %s", tid, where);
	if (!say_first(session, "left"))
		return;
	say("thread %d of process %d cannot be stopped (%s): %s", tid,
	    thread->process->pid, where,
	    copies ? "the child that it forks has its own copy of the traps, "
		     "which do no harm"
		   : "some memory of xtrace stays mapped there, which does no "
		     "harm");
}
