/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Leaving. First all bytes are restored through /proc/PID/mem while the threads
 * run. From then on no thread can hit a trap. Threads that have hit one are
 * moved back to their sites (tracer/lives/leave_restore).
 *
 * Then the tracing thread ends. The kernel lets its tracees run on unchanged
 * (kernel/ptrace.c, exit_ptrace). A PTRACE_DETACH needs a stop, which would
 * interrupt system calls; this way interrupts none.
 *
 * After all threads are restored, no thread is in a slot. Then a running thread
 * is the host of the system calls that unmap the slots and the handler area. If
 * all threads block, the mappings stay: they are harmless, and a later xtrace
 * uses them again.
 */
#include "tracer/lives/leave.h"

#include "base/log.h"
#include "process/regs.h"
#include "process/remote.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/status.h"
#include "process/wait.h"
#include "tracer/lives/birth.h"
#include "tracer/lives/clean.h"
#include "tracer/lives/leave_restore.h"
#include "tracer/lives/leave_wait.h"
#include "tracer/lives/unannounced.h"
#include "tracer/model/program.h"
#include "tracer/remote_calls/inject.h"
#include "tracer/report/metering.h"
#include "tracer/report/report.h"
#include "tracer/sigtrap/sigtrap.h"
#include "tracer/sigtrap/whose.h"

#include <errno.h>
#include <sys/syscall.h>
#include <time.h>

/* How many stops of a thread to handle while it walks out of the handler, and
 * how often to try to stop it. */
#define STOPS_MOST 1000
/* How often to search for a running thread, a millisecond apart. */
#define TRIES_MOST 20
/* How often to check that only one process uses the space, a millisecond apart.
 * Checks that find the space's other user at work, before its exec, do not
 * count. */
#define SHARED_TRIES 200

static void
lift_everything(struct session *session)
{
	size_t cursor = 0;
	void *program;

	while (map_next(&session->programs, &cursor, NULL, &program))
		program_lift(program);
}

/* If a thread may still be in the mappings, and the time is over or the
 * thread's injected call was given up, the mappings stay, and the user is told.
 */
static void
give_up_space(struct session *session, const struct space *space)
{
	const struct thread *held = leave_held(session, space);

	if (held && (held->given_up || leave_late(session)))
		leave_behind(session, held->tid);
}

/*
 * A thread that runs, or that blocks in a call which an interrupt does not
 * disturb. If there is none, the threads get some milliseconds to return from
 * their calls, and more if one waits uninterruptibly. Meanwhile nothing of
 * xtrace disturbs them.
 */
static struct thread *
find_runner(struct session *session, pid_t pid)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	unsigned blocked = 0;

	while (blocked < TRIES_MOST) {
		struct process *process = table_process(&session->table, pid);
		struct thread *thread;

		if (!process)
			return NULL;
		thread = inject_host(session, process);
		if (thread)
			return thread;
		process = table_process(&session->table, pid);
		if (!process)
			return NULL;
		if (leave_late(session)) {
			give_up_space(session, process->space);
			return NULL;
		}
		if (leave_drain(session, process))
			continue;
		blocked += !leave_held(session, process->space);
		nanosleep(&nap, NULL);
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
 * Follows the thread from within our handler to the end of the system call with
 * which the handler ends. To interrupt the thread repeatedly until it is out
 * would, on a busy machine, stop it each time before it has a CPU. The caller
 * handles the last stop.
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
 * ATTEMPT_DONE if the thread was seen outside of our handler, or has ended. The
 * handler makes no system call that blocks. A thread that has left the handler
 * does not return to it, because the action is the program's again.
 */
static enum attempt
leave_handler(struct session *session, pid_t tid)
{
	for (unsigned i = 0; i < STOPS_MOST; i++) {
		struct thread *thread = table_thread(&session->table, tid);
		enum asked asked;
		struct stop stop;
		bool inside;

		if (!thread || (!thread->asked &&
				!leave_may_be_in_handler(session, thread)))
			return ATTEMPT_DONE;
		asked = leave_ask(session, thread, &stop);
		if (asked == ASKED_WAITS)
			return leave_may_be_in_handler(session, thread)
				       ? ATTEMPT_WAITS
				       : ATTEMPT_DONE;
		if (asked == ASKED_UNREPORTED)
			return ATTEMPT_FAILED;
		if (asked != ASKED_STOPPED)
			return ATTEMPT_DONE;
		if (stop.kind == STOP_INTERRUPT)
			trap_before_signal(session, thread, 0);
		if (stop.kind == STOP_INTERRUPT && in_ours(session, thread) &&
		    walk_out(session, thread, &stop) < 0)
			return ATTEMPT_FAILED;
		if (stop.kind == STOP_GONE) {
			birth_gone(session, &stop);
			return ATTEMPT_DONE;
		}
		inside = in_ours(session, thread);
		leave_serve_stop(session, &stop);
		if (!inside)
			return ATTEMPT_DONE;
	}
	return ATTEMPT_FAILED;
}

static void
all_leave_handler(struct session *session, const struct process *process,
		  pid_t runner)
{
	struct pids tids = table_tids(&session->table, process);
	struct pids others = { 0 };

	leave_ask_all(session, &tids, runner);
	for (size_t i = 0; i < tids.list.count; i++)
		if (tids.list.at[i] != runner)
			vec_push(&others.list, tids.list.at[i]);
	leave_each(session, &others, leave_handler);
	vec_release(&others.list);
	vec_release(&tids.list);
}

/*
 * A stopped thread that is not in our handler, which is about to be unmapped. A
 * SIGTRAP of the program's own may have made the thread enter the handler just
 * when it was interrupted.
 */
static struct thread *
find_runner_outside(struct session *session, pid_t pid)
{
	for (unsigned i = 0; i < STOPS_MOST; i++) {
		struct thread *thread = find_runner(session, pid);
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
			leave_serve_stop(session, &stop);
	}
	return NULL;
}

/* True if the thread runs, or is in an exec or ends. */
static bool
at_work(const struct blocked *blocked)
{
	return blocked->running || blocked->number < 0 ||
	       blocked->number == SYS_execve ||
	       blocked->number == SYS_execveat || blocked->number == SYS_exit ||
	       blocked->number == SYS_exit_group;
}

/* True if another process that uses the space runs. On a busy machine a vfork
 * child may need long to reach its exec and to complete it. */
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
		    status_blocked(other->space->arch, other->pid, other->pid,
				   &blocked) == 0 &&
		    at_work(&blocked))
			return true;
	}
	return false;
}

/* False if other processes continue to use the space. A vfork child uses its
 * parent's space until its exec, so xtrace waits for that exec. */
static bool
alone_in_space(struct session *session, pid_t pid)
{
	const struct timespec nap = { .tv_nsec = 1000000 };
	unsigned tries = 0;
	struct process *process;

	while (tries < SHARED_TRIES && !leave_late(session)) {
		process = table_process(&session->table, pid);
		if (!process || process->space->users == 1)
			return process != NULL;
		if (leave_drain(session, NULL))
			continue;
		process = table_process(&session->table, pid);
		tries += process && !others_run(session, process) &&
			 !leave_held(session, process->space);
		nanosleep(&nap, NULL);
	}
	process = table_process(&session->table, pid);
	if (process)
		give_up_space(session, process->space);
	debug("%d: another process uses its space: the slots stay", pid);
	return false;
}

/* Removes xtrace's mappings with the stopped thread `runner` as the host. False
 * if the mappings stay. */
static bool
clean_by(struct session *session, struct program *program,
	 struct thread *runner)
{
	const struct process *process = runner->process;
	unsigned serial = process->space->serial;
	pid_t pid = process->pid;

	if (sigtrap_disarm(program, runner) < 0)
		return false;
	all_leave_handler(session, process, runner->tid);
	/* If another thread has called exec meanwhile, the host has ended. */
	return session_runs(session, pid, serial) && !program->stays &&
	       program_clean(program, runner, false) == 0;
}

/* Removes xtrace's mappings if a running thread of the process can be the host.
 * No thread is in a slot any more. */
static void
clean_process(struct session *session, pid_t pid)
{
	struct process *process;
	struct program *program;
	const struct regs *regs;
	struct thread *thread;
	struct regs found;
	pid_t runner;

	process = table_process(&session->table, pid);
	program = process ? session_program(session, process->space) : NULL;
	if (program && sites_untouched(&program->sites))
		return;
	if (!alone_in_space(session, pid))
		return;
	process = table_process(&session->table, pid);
	program = session_program(session, process->space);
	if (!program || program->stays)
		return;
	if (remote_given_up(&session->table, program->space)) {
		give_up_space(session, program->space);
		return;
	}
	slots_restore_slack(&program->sites.slots, program->space);
	if (!program->sites.survive.code)
		return;
	thread = find_runner_outside(session, pid);
	regs = thread ? thread_regs(&session->table, thread) : NULL;
	if (!regs) {
		debug("%d: all threads block, the slots stay", pid);
		return;
	}
	found = *regs;
	runner = thread->tid;
	if (!clean_by(session, program, thread)) {
		debug("%d: the slots stay", pid);
		process = table_process(&session->table, pid);
		if (process)
			give_up_space(session, process->space);
	}
	inject_release(session, runner, &found);
}

static void
clean_everyone(struct session *session)
{
	struct pids pids = { 0 };
	size_t cursor = 0;
	uint64_t pid;

	while (map_next(&session->table.processes, &cursor, &pid, NULL))
		vec_push(&pids.list, (pid_t)pid);
	for (size_t i = 0; i < pids.list.count; i++)
		clean_process(session, pids.list.at[i]);
	vec_release(&pids.list);
}

/* Reports the calls in flight as unfinished, and the processes as left. */
static void
say_left(struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->programs, &cursor, NULL, &item))
		program_ends(item, CALL_UNFINISHED);
	cursor = 0;
	while (map_next(&session->records, &cursor, NULL, &item)) {
		struct thread_record *record = item;
		struct thread *thread = record->thread;

		calls_end_all(&record->calls, CALL_UNFINISHED);
		if (thread ==
			    process_speaker(&session->table, thread->process) &&
		    !record->silent)
			report_plain(session, EVENT_LEAVE, thread, 0, NULL);
	}
}

void
session_leave(struct session *session)
{
	session->leaving = true;
	session->table.system_calls = false;
	leave_wait_begin(session);
	lift_everything(session);
	leave_restore_all(session);
	metering_leave(session);
	leave_wait_clean(session);
	clean_everyone(session);
	unannounced_leave(session);
	say_left(session);
}
