/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Stops by kind. Each handler resumes its thread. If that fails with ESRCH the
 * thread has ended, which is normal: wait(2) reports the end.
 *
 * A group-stop is respected: the thread stays in it and waits for SIGCONT
 * (ptrace(2), "Group-stop").
 */
#include "tracer/run/dispatch.h"

#include "process/restart.h"
#include "process/regs.h"
#include "process/resume.h"
#include "tracer/allocs/allocs.h"
#include "tracer/attach/plant.h"
#include "tracer/lives/birth.h"
#include "tracer/lives/newborn.h"
#include "tracer/plan/plan.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/left_out.h"
#include "tracer/report/metering.h"
#include "tracer/report/report.h"
#include "tracer/run/ending.h"
#include "tracer/run/heap_end.h"
#include "tracer/run/trap.h"
#include "tracer/sampler/all_stacks.h"
#include "tracer/sampler/sampler.h"
#include "tracer/sigtrap/virtual_mask.h"
#include "tracer/sigtrap/whose.h"
#include "tracer/system_calls/system_calls.h"

#include <signal.h>

/* True if planted traps wait for a host. */
static bool
still_waiting(struct session *session, struct thread *thread)
{
	struct program *program =
		session_program(session, thread->process->space);

	return program && program->planned->waiting;
}

static void
on_signal(struct session *session, const struct stop *stop)
{
	struct thread_record *record = session_record(session, stop->thread);

	trap_before_signal(session, stop->thread, stop->signal);
	if ((stop->signal == SIGSEGV || stop->signal == SIGBUS) &&
	    metering_faulted(session, record)) {
		thread_resume(&session->table, stop->thread, 0);
		return;
	}
	restart_if_ignored(&session->table, stop->thread, stop->signal);
	/* The thread leaves its system call through a signal handler, so it
	 * does not hit its tripwire. It is interrupted instead. */
	if (still_waiting(session, stop->thread) &&
	    thread_interrupt(&session->table, stop->thread) < 0)
		return;
	if (!record->silent)
		report_plain(session, EVENT_SIGNAL, stop->thread, stop->signal,
			     NULL);
	thread_resume(&session->table, stop->thread, stop->signal);
}

static void
on_interrupt(struct session *session, const struct stop *stop)
{
	struct program *program =
		session_program(session, stop->thread->process->space);

	if (still_waiting(session, stop->thread) &&
	    inject_at_tripwire(program, stop->thread) < 0)
		return;
	if (session->table.system_calls || session->sampler ||
	    session->all_stacks)
		thread_mend_interrupted(&session->table, stop->thread);
	virtual_mask_resume(session, stop->thread);
}

/* xtrace may leave before SIGCONT comes, so the thread waits at its own
 * instruction and not in a slot. */
static void
on_group(struct session *session, const struct stop *stop)
{
	trap_before_signal(session, stop->thread, 0);
	thread_listen(&session->table, stop->thread);
}

/* The thread is about to end; its memory can still be read. */
static void
thread_exits(struct session *session, const struct stop *stop)
{
	bool ends_process = ending_ends_process(session, stop->thread);

	metering_ends(session, session_record(session, stop->thread));
	heap_end_thread_exits(session, stop->thread, ends_process);
	if (ends_process)
		allocs_process_exits(session, stop->thread);
	thread_resume(&session->table, stop->thread, 0);
}

/* The vfork child no longer uses its parent's memory. If the child was let go
 * to another tracer, the parent's traps were lifted until now. */
static void
vfork_done(struct session *session, const struct stop *stop)
{
	struct program *program =
		session_program(session, stop->thread->process->space);

	if (program)
		sites_resume(&program->sites);
	virtual_mask_spawned(session_record(session, stop->thread));
	virtual_mask_resume(session, stop->thread);
}

static void
on_system_call(struct session *session, const struct stop *stop)
{
	if (system_calls_delayed(session, stop))
		thread_resume(&session->table, stop->thread, 0);
	else if (!virtual_mask_stopped(session, stop->thread))
		system_calls_stop(session, stop);
}

static void (*const handlers[STOP_KINDS])(struct session *,
					  const struct stop *) = {
	[STOP_TRAP] = trap_taken,	 [STOP_STEP] = trap_stepped,
	[STOP_SIGNAL] = on_signal,	 [STOP_GROUP] = on_group,
	[STOP_SYSCALL] = on_system_call, [STOP_CLONE] = birth_of_task,
	[STOP_FORK] = birth_of_task,	 [STOP_VFORK] = birth_of_task,
	[STOP_VFORK_DONE] = vfork_done,	 [STOP_EXEC] = birth_exec,
	[STOP_EXIT] = thread_exits,	 [STOP_INTERRUPT] = on_interrupt,
	[STOP_GONE] = birth_gone,
};

/* True if a trial stop has ended. Its hit was handled before the trial, and the
 * thread has not run its own code since, so report_complete() can wait. */
static bool
ends_trial(const struct stop *stop)
{
	return (stop->kind == STOP_TRAP || stop->kind == STOP_INTERRUPT) &&
	       stop->thread && stop->thread->held.run == HELD_TRIES;
}

void
dispatch(struct session *session, const struct stop *stop)
{
	if (!ends_trial(stop))
		report_complete(session);
	sampler_stopped(session, stop);
	all_stacks_stopped(session, stop);
	if (session->left_out && stop->thread && stop->kind != STOP_TRAP &&
	    stop->kind != STOP_GONE)
		left_out_stopped(session, session_record(session, stop->thread),
				 NULL);
	/* stop->thread is NULL for a newborn, and for an exec if the process's
	 * leader had ended before the attach and another thread execs. */
	if (stop->thread)
		system_calls_end_held(session, stop);
	if (stop->thread || stop->kind == STOP_EXEC)
		handlers[stop->kind](session, stop);
	else
		newborn_unknown(session, stop);
}
