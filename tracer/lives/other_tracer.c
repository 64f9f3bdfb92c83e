/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ptrace(2) has three ways to begin. The thread that is to be traced calls
 * PTRACE_TRACEME; it is usually the only thread of its process. The tracer
 * calls PTRACE_ATTACH or PTRACE_SEIZE.
 *
 * A debugger's child calls PTRACE_TRACEME between fork and exec. Any other
 * program that calls it wants to know whether it is traced. There the call
 * fails, as under any tracer.
 *
 * To let one process go while xtrace stays, each thread needs a PTRACE_DETACH,
 * and so a stop. A system call that our interrupt has ended is restarted if
 * that is possible (thread_mend_interrupted), as in leaving. The last thread
 * unmaps xtrace's mappings.
 *
 * A child of vfork has no memory of its own. While another tracer traces it,
 * until its exec, no trap is planted in its parent either.
 */
#include "tracer/lives/other_tracer.h"

#include "base/clock.h"
#include "base/log.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/siginfo.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/lives/birth.h"
#include "tracer/lives/clean.h"
#include "tracer/model/say.h"
#include "tracer/remote_calls/await.h"
#include "tracer/report/left_out.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/guards.h"
#include "tracer/sigtrap/virtual_mask.h"
#include "tracer/sigtrap/whose.h"

#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <time.h>

/* The most stops that do not bring the thread to a place where it can be let
 * go. */
#define STOPS_MOST 1000

/* How long the threads of a process have until they are where they can be let
 * go. A thread that waits for its vfork child may need longer, and the other
 * tracer is held meanwhile. */
#define LET_GO_NS CLOCK_SECOND

/* Is the process a child that a debugger has just forked? Such a child asks its
 * parent to trace it before it execs. The call would succeed if xtrace did not
 * trace the child. */
static bool
debugged(struct session *session, const struct thread *thread)
{
	const struct process *process = thread->process;
	const struct program *program =
		session_program(session, process->space);

	return table_process(&session->table, process->parent) &&
	       (program->forked || process->space->users > 1);
}

/* Tells the user that ptrace() fails: the kernel answers EPERM. */
static void
say_fails(struct program *program)
{
	char name[64];

	if (program->said_traced)
		return;
	program->said_traced = true;
	status_name(program->space->pid, name, sizeof(name));
	say("process %d (%s) asks its parent to trace it: the call fails, "
	    "because xtrace traces the process",
	    program->space->pid, name);
}

static void
say_let_go(const struct process *process, const struct thread *other)
{
	char name[64], other_name[64];

	status_name(process->pid, name, sizeof(name));
	status_name(other->process->pid, other_name, sizeof(other_name));
	if (process == other->process)
		say("process %d (%s) asks its parent to trace it: xtrace does "
		    "not trace it any more",
		    process->pid, name);
	else
		say("process %d (%s) is to be traced by process %d (%s): "
		    "xtrace does not trace it any more",
		    process->pid, name, other->process->pid, other_name);
}

/*
 * Can this stop be the thread's last one under xtrace? If so, *ret_signal is
 * the signal with which to resume the thread, and the thread's pc is where it
 * would be without xtrace.
 */
static bool
may_go(struct session *session, const struct stop *stop, int *ret_signal)
{
	struct thread *thread = stop->thread;
	siginfo_t held;

	*ret_signal = 0;
	switch (stop->kind) {
	case STOP_TRAP:
		if (!trap_undo(session, thread, &held) || held.si_signo) {
			trap_before_signal(session, thread, SIGTRAP);
			*ret_signal = SIGTRAP;
		}
		return !thread_trap_comes(thread);
	case STOP_SIGNAL:
		trap_before_signal(session, thread, stop->signal);
		*ret_signal = stop->signal;
		return !thread_trap_comes(thread);
	case STOP_INTERRUPT:
		trap_before_signal(session, thread, 0);
		thread_mend_interrupted(&session->table, thread);
		return !thread_trap_comes(thread);
	case STOP_GROUP:
		trap_before_signal(session, thread, 0);
		return true;
	default:
		return false;
	}
}

/* Waits until the thread is stopped where it can be let go. False if the thread
 * has ended or waits uninterruptibly, or if it does not stop there in time. */
static bool
stop_for_good(struct session *session, pid_t tid, uint64_t until,
	      int *ret_signal)
{
	for (unsigned i = 0; i < STOPS_MOST; i++) {
		struct thread *thread = table_thread(&session->table, tid);
		struct stop stop;

		if (!thread || thread_interrupt(&session->table, thread) < 0 ||
		    wait_asked_until(&session->table, thread, until, &stop) < 0)
			return false;
		if (may_go(session, &stop, ret_signal))
			return true;
		if (stop.kind == STOP_TRAP || stop.kind == STOP_SIGNAL)
			thread_resume(&session->table, thread, *ret_signal);
		else
			await_serve(session, &stop);
	}
	return false;
}

static void
let_thread_go(struct session *session, struct thread *thread, int signal,
	      bool last)
{
	struct program *program =
		session_program(session, thread->process->space);
	struct thread_record *record = session_record(session, thread);

	calls_end_all(&record->calls, CALL_UNFINISHED);
	if (last && program && thread->process->space->users == 1) {
		/* The process may run another program by now. */
		program_lift(program);
		if (program_clean(program, thread, false) < 0)
			debug("%d keeps our slots", thread->tid);
	}
	if (last && !session->leaving)
		left_out_process_ends(session, thread->process->pid);
	if (last)
		report_plain(session, EVENT_LEAVE, thread, 0, NULL);
	virtual_mask_end(record);
	thread_detach(&session->table, thread, signal);
	birth_forget(session, thread);
}

/* A process that xtrace lets go. */
struct going {
	pid_t pid;
	pid_t held;	  /* the thread that goes last, or 0 */
	uint64_t until;	  /* how long xtrace waits for stops of its threads */
	bool lifted;	  /* the traps are removed, and none is planted again */
	struct pids gone; /* the threads that were let go */
};

/* Lets all threads but `held` go. Returns a thread that does not stop, or 0. */
static pid_t
let_others_go(struct session *session, struct going *going)
{
	struct process *process = table_process(&session->table, going->pid);
	struct pids tids = { 0 };
	pid_t late = 0;

	if (process)
		tids = table_tids(&session->table, process);
	for (size_t i = 0; i < tids.list.count; i++) {
		pid_t tid = tids.list.at[i];
		int signal;

		if (tid == going->held)
			continue;
		if (stop_for_good(session, tid, going->until, &signal)) {
			process = table_process(&session->table, going->pid);
			let_thread_go(session,
				      table_thread(&session->table, tid),
				      signal, process->thread_count == 1);
			vec_push(&going->gone.list, tid);
		} else if (table_thread(&session->table, tid)) {
			late = tid;
		}
	}
	vec_release(&tids.list);
	return late;
}

/*
 * An exec kills the other threads. A thread that it killed in its last stop
 * could not be detached, and the exec waits until its end was reaped. If the
 * leader was let go, the thread that execs reports the exec under the leader's
 * id, which belongs to no thread of the table then.
 */
static void
hear_gone(struct session *session, const struct going *going)
{
	for (size_t i = 0; i < going->gone.list.count; i++) {
		pid_t tid = going->gone.list.at[i];
		struct stop stop;

		if (!table_thread(&session->table, tid) &&
		    wait_poll(&session->table, tid, &stop) == 0)
			await_serve(session, &stop);
	}
}

/* A thread of the process stays. The others, which xtrace does not trace any
 * more, would hit the traps that are planted when its vfork child is done.
 * going->held is one of them: it goes last. */
static void
stay_without_traps(struct session *session, struct going *going)
{
	struct process *process = table_process(&session->table, going->pid);
	struct program *program =
		process ? session_program(session, process->space) : NULL;

	if (program && (going->gone.list.count || going->held)) {
		program_lift(program);
		going->lifted = true;
	}
}

static void
say_late(const struct going *going, pid_t tid)
{
	char where[STATUS_PLACE];

	status_place(going->pid, tid, where, sizeof(where));
	say("thread %d of process %d cannot be stopped (%s): xtrace stays its "
	    "tracer%s",
	    tid, going->pid, where,
	    going->lifted ? ", but traces no call of the process any more"
			  : "");
}

/*
 * held: a thread of the process that is already stopped, with its pc restored,
 * or NULL. A thread that executes a program waits for the ends of the others,
 * which are served here. So a thread that does not stop is asked once more.
 */
static void
let_process_go(struct session *session, struct process *process,
	       struct thread *held)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	struct program *program = session_program(session, process->space);
	struct going going = { .pid = process->pid,
			       .held = held ? held->tid : 0,
			       .until = clock_now() + LET_GO_NS };
	pid_t late;

	going.lifted = program && process->space->users == 1;
	if (going.lifted)
		program_lift(program);
	else if (program)
		sites_suspend(&program->sites);
	while ((late = let_others_go(session, &going)) != 0 &&
	       clock_now() < going.until && !wait_late(&session->table)) {
		hear_gone(session, &going);
		nanosleep(&nap, NULL);
	}
	if (late) {
		stay_without_traps(session, &going);
		say_late(&going, late);
	}
	vec_release(&going.gone.list);
	if (held)
		let_thread_go(session, held, 0,
			      held->process->thread_count == 1);
}

int
other_tracer_enter(struct hit *hit)
{
	struct session *session = hit->session;
	struct thread *thread = hit->record->thread;
	long request = (long)hit_argument(hit, 0);
	struct thread *wanted;

	if (request == PTRACE_TRACEME && !debugged(session, thread)) {
		say_fails(hit->program);
		return 0;
	}
	if (request == PTRACE_TRACEME) {
		say_let_go(thread->process, thread);
		thread_set_pc(thread, hit->site->address);
		let_process_go(session, thread->process, thread);
		return GUARDS_LET_GO;
	}
	if (request != PTRACE_ATTACH && request != PTRACE_SEIZE)
		return 0;
	wanted = table_thread(&session->table, (pid_t)hit_argument(hit, 1));
	if (!wanted || wanted->process == thread->process)
		return 0;
	say_let_go(wanted->process, thread);
	let_process_go(session, wanted->process, NULL);
	return 0;
}
