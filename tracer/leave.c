/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaving. All bytes go back first, through /proc/PID/mem, while the threads
 * run. From then on no thread can trap, but some have: between their trap and
 * our seeing it, or seen and waiting. A thread that blocks in a system call is
 * not one of them and is not touched. Each other one is asked to stop; a
 * SIGTRAP of ours comes out before or behind that stop, is taken, and the
 * thread is sent back to the instruction itself.
 *
 * Then the tracing thread ends. The kernel lets the tracees go as they are
 * (kernel/ptrace.c, exit_ptrace), which disturbs none of the system calls
 * that a PTRACE_DETACH, needing a stop, would have cut short.
 *
 * When all threads are right none is in a slot; then one that runs is borrowed
 * to unmap them and the handler. Where all block they stay: harmless, and a
 * later xtrace moves in.
 */
#include "tracer/leave.h"

#include "base/log.h"
#include "process/regs.h"
#include "process/restart.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/wait.h"
#include "process/space.h"
#include "tracer/birth.h"
#include "tracer/borrow.h"
#include "tracer/probes.h"
#include "tracer/program.h"
#include "tracer/report.h"
#include "tracer/sigtrap.h"
#include "tracer/sockets.h"
#include "tracer/trap.h"

#include <errno.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>

#define debug(...) debug_of(LOG_TRACER, __VA_ARGS__)

/* A thread that is asked to stop does so within microseconds. */
#define STOPS_MOST 1000
/* Looks for a thread that runs, a millisecond apart. */
#define LOOKS_MOST 20
/* Looks for a space to be used by one process, a millisecond or less apart;
 * those that find its other user at work, on its way to its exec, are more. */
#define SHARED_LOOKS 200
#define SHARED_LOOKS_RUNNING 5000
/* Looks for a lost action to stand again. */
#define LOST_LOOKS 200

/* The thread traps no more, and what its trap changed is put back. */
static bool
undo_trap(struct session *session, struct thread *thread)
{
	struct program *program =
		session_program(session, thread->process->space);

	if (!trap_undo(session, thread))
		return false;
	if (program->sites.survive.code &&
	    sigtrap_after_undo(program, session_actor(session, thread)) < 0)
		debug("%d: vanished while it was put right", thread->tid);
	return true;
}

static void
lift_everything(struct session *session)
{
	size_t cursor = 0;
	void *program;

	while (map_next(&session->programs, &cursor, NULL, &program))
		program_lift(program);
}

static bool drain_process(struct session *session,
			  const struct process *process);

/*
 * A SIGTRAP of the program's own. It may meet a trap of another thread that was
 * there before the bytes were back, and has taken the action away: that trap is
 * undone first, and there will be no other.
 */
static void
deliver_own(struct session *session, pid_t tid)
{
	const struct timespec moment = { .tv_nsec = 200000 };
	struct thread *thread = table_thread(&session->table, tid);

	trap_before_signal(session, thread, SIGTRAP);
	for (unsigned i = 0; i < LOST_LOOKS && thread; i++) {
		const struct process *process = thread->process;

		if (!sigtrap_lost(session_program(session, process->space),
				  thread))
			break;
		if (!drain_process(session, process))
			nanosleep(&moment, NULL);
		thread = table_thread(&session->table, tid);
	}
	if (thread)
		thread_resume(&session->table, thread, SIGTRAP);
}

/*
 * One stop while leaving; the thread is sent on. True when nothing more of
 * ours can come from it: no trap stands any more, and a SIGTRAP that is queued
 * is delivered before any other signal.
 */
static bool
settle_stop(struct session *session, const struct stop *stop)
{
	struct thread *thread = stop->thread;
	bool comes = thread_trap_comes(thread);

	switch (stop->kind) {
	case STOP_TRAP:
		if (undo_trap(session, thread))
			thread_resume(&session->table, thread, 0);
		else
			deliver_own(session, stop->tid);
		return !comes;
	case STOP_SIGNAL:
		trap_before_signal(session, thread, stop->signal);
		restart_if_ignored(&session->table, thread, stop->signal);
		thread_resume(&session->table, thread, stop->signal);
		return !comes;
	case STOP_GROUP:
		thread_listen(&session->table, thread);
		return true;
	case STOP_INTERRUPT:
		trap_before_signal(session, thread, 0);
		thread_mend_interrupted(&session->table, thread);
		thread_resume(&session->table, thread, 0);
		return !comes;
	case STOP_CLONE:
	case STOP_FORK:
	case STOP_VFORK:
		birth_of_task(session, stop);
		return !comes;
	case STOP_EXEC:
		birth_exec(session, stop);
		return true;
	default:
		thread_resume(&session->table, thread, 0);
		return false;
	}
}

static bool
may_have_trapped(const struct thread *thread)
{
	struct blocked blocked;

	if (thread->state == THREAD_LISTENING)
		return false;
	if (status_blocked(thread->process->pid, thread->tid, &blocked) < 0)
		return true;
	return blocked.running || blocked.number < 0;
}

/* Takes what has come of this thread; true when it is right. */
static bool
drain(struct session *session, struct thread *thread, bool *ret_gone)
{
	struct stop stop;
	bool right = false;

	while (!right && wait_poll(&session->table, thread->tid, &stop) == 0) {
		if (stop.kind == STOP_GONE) {
			birth_gone(session, &stop);
			*ret_gone = true;
			return true;
		}
		right = settle_stop(session, &stop);
	}
	return right;
}

enum asked { ASKED_STOPPED, ASKED_BLOCKS, ASKED_GONE };

/*
 * Asks the thread to stop. One that goes into a system call just then may not
 * come out before others have: a vfork's parent waits for the child.
 */
static enum asked
ask_to_stop(struct session *session, struct thread *thread,
	    struct stop *ret_stop)
{
	int r = thread_interrupt(&session->table, thread);

	if (r == 0)
		r = wait_asked(&session->table, thread, ret_stop);
	if (r == -EBUSY)
		return ASKED_BLOCKS;
	if (r < 0)
		return ASKED_GONE;
	if (ret_stop->kind != STOP_GONE)
		return ASKED_STOPPED;
	birth_gone(session, ret_stop);
	return ASKED_GONE;
}

/*
 * True when the thread is where it would be without us, or gone. Any stop
 * takes a pending interrupt with it (kernel/signal.c, ptrace_stop), so a stop
 * that settles nothing is followed by another interrupt.
 */
static bool
settle_thread(struct session *session, struct thread *thread)
{
	bool gone = false;

	if (drain(session, thread, &gone) || gone)
		return true;
	for (unsigned i = 0;
	     i < STOPS_MOST && (thread->asked || may_have_trapped(thread));
	     i++) {
		struct stop stop;

		if (ask_to_stop(session, thread, &stop) != ASKED_STOPPED ||
		    settle_stop(session, &stop))
			return true;
	}
	if (!may_have_trapped(thread))
		return true;
	debug("%d does not settle", thread->tid);
	return false;
}

struct tids {
	vec_of(pid_t) list;
};

/* Of one process, or of all (NULL): threads may go while they are seen to. */
static void
list_threads(struct session *session, const struct process *process,
	     struct tids *ret_tids)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->table.threads, &cursor, NULL, &item)) {
		const struct thread *thread = item;

		if (!process || thread->process == process)
			vec_push(&ret_tids->list, thread->tid);
	}
}

/*
 * All at once: one that waits for a CPU stops as soon as it has it, and where
 * there are many such, to ask one after the other is to let all the others run
 * for a while each time.
 */
static void
ask_all(struct session *session, const struct tids *tids, pid_t but)
{
	for (size_t i = 0; i < tids->list.count; i++) {
		struct thread *thread =
			table_thread(&session->table, tids->list.at[i]);

		if (thread && thread->tid != but && may_have_trapped(thread) &&
		    thread_interrupt(&session->table, thread) < 0)
			debug("%d is on its way out", thread->tid);
	}
}

static bool
settle_everyone(struct session *session)
{
	struct tids tids = { 0 };
	bool settled = true;

	list_threads(session, NULL, &tids);
	ask_all(session, &tids, 0);
	for (size_t i = 0; i < tids.list.count; i++) {
		struct thread *thread =
			table_thread(&session->table, tids.list.at[i]);

		if (thread && !settle_thread(session, thread))
			settled = false;
	}
	vec_release(&tids.list);
	return settled;
}

/* Stops that came since: a thread that a signal has stopped looks as if it
 * blocked. True when there was one. */
static bool
drain_process(struct session *session, const struct process *process)
{
	struct tids tids = { 0 };
	bool any = false;

	list_threads(session, process, &tids);
	for (size_t i = 0; i < tids.list.count; i++) {
		struct thread *thread =
			table_thread(&session->table, tids.list.at[i]);
		struct stop stop;

		if (!thread || thread->state != THREAD_RUNNING ||
		    wait_poll(&session->table, thread->tid, &stop) < 0)
			continue;
		any = true;
		if (stop.kind == STOP_GONE)
			birth_gone(session, &stop);
		else
			settle_stop(session, &stop);
	}
	vec_release(&tids.list);
	return any;
}

/*
 * A thread that runs, or that blocks where it does not notice being asked;
 * others get some milliseconds to come out. Nothing of ours is in their way
 * meanwhile.
 */
static struct thread *
find_lender(struct session *session, pid_t pid)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	unsigned blocked = 0;

	for (unsigned i = 0; i < STOPS_MOST && blocked < LOOKS_MOST; i++) {
		struct process *process = table_process(&session->table, pid);
		struct thread *thread;

		if (!process)
			return NULL;
		thread = borrow_lender(session, process);
		if (thread)
			return thread;
		process = table_process(&session->table, pid);
		if (process && drain_process(session, process))
			continue;
		nanosleep(&moment, NULL);
		blocked++;
	}
	return NULL;
}

static bool
in_ours(struct session *session, struct thread *thread)
{
	struct program *program =
		session_program(session, thread->process->space);
	const struct regs *regs = thread_regs(&session->table, thread);

	return program && regs &&
	       slots_cover(&program->sites.slots, regs_pc(regs));
}

/*
 * From within our handler to the end of the system call with which it ends. To
 * ask the thread again until it is out would be to stop it, on a busy machine,
 * each time before it has a CPU. The last stop is left to be dealt with.
 */
static int
walk_out(struct session *session, struct thread *thread, struct stop *ret_stop)
{
	int r = 0;

	for (unsigned i = 0; i < STOPS_MOST && r == 0; i++) {
		r = thread_resume_to_syscall(&session->table, thread, 0);
		if (r == 0)
			r = wait_thread(&session->table, thread, ret_stop);
		if (r == 0 && (ret_stop->kind != STOP_SYSCALL ||
			       !in_ours(session, thread)))
			return 0;
	}
	return r < 0 ? r : -EBUSY;
}

/*
 * True when the thread was seen outside of the handler, or is gone. It blocks
 * in no system call there, and once out it does not come back: the action is
 * the program's again.
 */
static bool
leave_handler(struct session *session, pid_t tid)
{
	for (unsigned i = 0; i < STOPS_MOST; i++) {
		struct thread *thread = table_thread(&session->table, tid);
		struct stop stop;
		bool inside;

		if (!thread || (!thread->asked && !may_have_trapped(thread)) ||
		    ask_to_stop(session, thread, &stop) != ASKED_STOPPED)
			return true;
		if (stop.kind == STOP_INTERRUPT)
			trap_before_signal(session, thread, 0);
		if (stop.kind == STOP_INTERRUPT && in_ours(session, thread) &&
		    walk_out(session, thread, &stop) < 0)
			return false;
		if (stop.kind == STOP_GONE) {
			birth_gone(session, &stop);
			return true;
		}
		inside = in_ours(session, thread);
		settle_stop(session, &stop);
		if (!inside)
			return true;
	}
	return false;
}

static bool
all_leave_handler(struct session *session, const struct process *process,
		  pid_t runner)
{
	struct tids tids = { 0 };
	bool left = true;

	list_threads(session, process, &tids);
	ask_all(session, &tids, runner);
	for (size_t i = 0; i < tids.list.count; i++)
		if (tids.list.at[i] != runner &&
		    !leave_handler(session, tids.list.at[i]))
			left = false;
	vec_release(&tids.list);
	return left;
}

/*
 * Stopped, and not within our handler, which is about to go: a SIGTRAP of the
 * program's own may have sent it there just when it was asked.
 */
static struct thread *
find_lender_outside(struct session *session, pid_t pid)
{
	for (unsigned i = 0; i < STOPS_MOST; i++) {
		struct thread *thread = find_lender(session, pid);
		struct stop stop;

		if (!thread || !in_ours(session, thread))
			return thread;
		debug("%d is within our handler", thread->tid);
		if (walk_out(session, thread, &stop) < 0)
			return NULL;
		if (stop.kind == STOP_SYSCALL)
			return thread;
		if (stop.kind == STOP_GONE)
			birth_gone(session, &stop);
		else
			settle_stop(session, &stop);
	}
	return NULL;
}

/* On its way to an exec, or to its end. */
static bool
at_work(const struct blocked *blocked)
{
	return blocked->running || blocked->number < 0 ||
	       blocked->number == SYS_execve ||
	       blocked->number == SYS_execveat || blocked->number == SYS_exit ||
	       blocked->number == SYS_exit_group;
}

/* On a machine with much to do a vfork child may take long to get to its exec,
 * and in it. */
static bool
others_run(struct session *session, const struct process *process)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->table.processes, &cursor, NULL, &item)) {
		const struct process *other = item;
		const struct thread *thread =
			process_speaker(&session->table, other);
		struct blocked blocked;

		if (other != process && other->space == process->space &&
		    thread->state != THREAD_LISTENING &&
		    status_blocked(other->pid, other->pid, &blocked) == 0 &&
		    at_work(&blocked))
			return true;
	}
	return false;
}

/* False where others go on to use the space: a vfork child only does so until
 * it execs, which it may be about to. */
static bool
alone_in_space(struct session *session, pid_t pid)
{
	const struct timespec moment = { .tv_nsec = 1000000 };
	unsigned looks = 0;

	for (unsigned i = 0; i < SHARED_LOOKS_RUNNING && looks < SHARED_LOOKS;
	     i++) {
		struct process *process = table_process(&session->table, pid);

		if (!process || process->space->users == 1)
			return process != NULL;
		if (drain_process(session, NULL))
			continue;
		process = table_process(&session->table, pid);
		looks += process && !others_run(session, process);
		nanosleep(&moment, NULL);
	}
	debug("%d: its space is another's, too: the slots stay", pid);
	return false;
}

/* False where what we mapped stays. */
static bool
clean_by(struct session *session, struct program *program,
	 struct thread *runner)
{
	const struct process *process = runner->process;
	pid_t pid = process->pid;

	/* An exec of another thread ends all of them. */
	return program_disarm(program, runner) == 0 &&
	       all_leave_handler(session, process, runner->tid) &&
	       session_runs(session, pid, program) &&
	       program_clean(program, runner) == 0;
}

/* No thread is in a slot any more: what we mapped can go, where one of them
 * runs and can be asked. */
static void
clean_process(struct session *session, pid_t pid)
{
	struct process *process;
	struct program *program;
	const struct regs *regs;
	struct thread *thread;
	struct regs found;
	pid_t runner;

	if (!alone_in_space(session, pid))
		return;
	process = table_process(&session->table, pid);
	program = session_program(session, process->space);
	if (!program)
		return;
	slots_restore_slack(&program->sites.slots, program->space);
	if (!program->sites.survive.code)
		return;
	thread = find_lender_outside(session, pid);
	regs = thread ? thread_regs(&session->table, thread) : NULL;
	if (!regs) {
		debug("%d: all threads block, the slots stay", pid);
		return;
	}
	found = *regs;
	runner = thread->tid;
	if (!clean_by(session, program, thread))
		debug("%d: the slots stay", pid);
	borrow_give_back(session, runner, &found);
}

static void
clean_everyone(struct session *session)
{
	struct tids pids = { 0 };
	size_t cursor = 0;
	uint64_t pid;

	while (map_next(&session->table.processes, &cursor, &pid, NULL))
		vec_push(&pids.list, (pid_t)pid);
	for (size_t i = 0; i < pids.list.count; i++)
		clean_process(session, pids.list.at[i]);
	vec_release(&pids.list);
}

/* What is in flight is told as unfinished, and the processes as left. */
static void
say_left(struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->programs, &cursor, NULL, &item)) {
		probes_program_ends(item, CALL_UNFINISHED);
		sockets_program_ends(item, CALL_UNFINISHED);
	}
	cursor = 0;
	while (map_next(&session->actors, &cursor, NULL, &item)) {
		struct actor *actor = item;
		const struct thread *thread = actor->thread;

		calls_end_all(&actor->calls, CALL_UNFINISHED);
		if (thread ==
			    process_speaker(&session->table, thread->process) &&
		    !actor->silent)
			report_plain(session, EVENT_LEAVE, thread, 0, NULL);
	}
}

void
session_leave(struct session *session)
{
	session->leaving = true;
	lift_everything(session);
	if (settle_everyone(session))
		clean_everyone(session);
	say_left(session);
}
