/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that blocks is not stopped: its stack does not change, and xtrace
 * checks afterwards that it has not run meanwhile. A thread that runs is
 * stopped. A thread that blocks in a call which the kernel can restart is
 * stopped if more registers are needed than /proc shows. If it blocks in
 * another call, its frames end where they cannot be followed, and the output
 * says so.
 *
 * While a thread is stopped, signals that would end xtrace are blocked. If
 * xtrace is killed then, the kernel lets the thread run; nothing of xtrace is
 * in its memory.
 */
#include "tracer/run/dump.h"

#include "arch/arch.h"
#include "process/attach.h"
#include "process/observation.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/status.h"
#include "process/wait.h"
#include "process/woken.h"
#include "tracer/attach/family.h"
#include "tracer/loader/modules.h"
#include "tracer/model/program.h"
#include "tracer/report/report.h"
#include "tracer/report/where.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

/* The most frames of a thread, if -w is not given. */
#define FRAMES_MOST 1000u

/* A thread that blocks each time when it is to be stopped is stopped all the
 * same after so many tries. */
#define TRIES_MOST 100u

struct dump {
	struct session *session;
	struct program *program;
	struct process *process;
	pid_t tid;
	unsigned tries; /* how often reading the thread was tried */
	bool stopped;	/* the thread is stopped by SIGSTOP or the like */
	struct arena arena;
	struct stack stack;
	const char *state;
};

static void
walk(struct dump *dump, const struct regs *regs, bool few)
{
	const struct options *options = dump->session->options;
	const struct native_start start = {
		.regs = regs,
		.place = NATIVE_STOPPED,
		.few = few,
	};

	stack_init(&dump->stack, &dump->arena,
		   options->frames ? options->frames : FRAMES_MOST);
	where_walk(dump->program,
		   options->stack == STACK_DEFAULT ? STACK_MERGED
						   : options->stack,
		   &start, true, &dump->stack);
}

static void
tell(struct dump *dump)
{
	struct event_call call = {
		.frames = dump->stack.at,
		.frame_count = (unsigned)dump->stack.count,
		.frames_partial = dump->stack.partial,
		.frames_apart = (unsigned)dump->stack.apart,
	};
	struct event event = {
		.kind = EVENT_STACK,
		.when = session_now(dump->session),
		.pid = dump->process->pid,
		.tid = dump->tid,
		.call = &call,
		.state = dump->state,
	};
	char name[64];

	status_name(dump->tid, name, sizeof(name));
	event.text = name;
	report_event(dump->session, &event);
}

/* Walks the stack at any stop of the thread, and resumes it with the stop's
 * signal. */
static void
walk_stopped(struct dump *dump, struct thread *thread, const struct stop *stop)
{
	struct table *table = &dump->session->table;
	bool signal = stop->kind == STOP_SIGNAL || stop->kind == STOP_TRAP;
	const struct regs *regs = thread_regs(table, thread);

	if (regs)
		walk(dump, regs, false);
	if (stop->kind == STOP_INTERRUPT)
		thread_mend_interrupted(table, thread);
	thread_detach(table, thread, signal ? stop->signal : 0);
}

/* Interrupts the thread if it runs, or if its system call continues unnoticed.
 * -EAGAIN if it has begun to block in another call. A thread that a signal has
 * stopped may be interrupted: its system call is already interrupted. */
static int
interrupt_unseen(struct dump *dump, struct thread *thread)
{
	struct table *table = &dump->session->table;

	if (!dump->stopped && dump->tries++ < TRIES_MOST &&
	    woken_may_stop(table, thread) == -EAGAIN)
		return -EAGAIN;
	return thread_interrupt(table, thread);
}

/* Stops the thread, walks its stack and lets the thread run. Returns 0, -ESRCH
 * if the thread has ended, -EAGAIN if it has begun to block, or another error
 * with a sentence. */
static int
stop_and_walk(struct dump *dump, struct err *err)
{
	struct table *table = &dump->session->table;
	struct thread *thread;
	struct stop stop;
	int r = attach_thread(table, dump->process, dump->tid, &thread, err);

	if (r < 0)
		return r;
	r = interrupt_unseen(dump, thread);
	if (r == 0)
		r = wait_thread(table, thread, &stop);
	if (r == 0 && stop.kind == STOP_GONE)
		r = -ESRCH;
	if (r == 0)
		walk_stopped(dump, thread, &stop);
	thread_remove(table, thread);
	return r;
}

static int
stop_undisturbed(struct dump *dump, struct err *err)
{
	sigset_t all, before;
	int r;

	sigfillset(&all);
	sigprocmask(SIG_BLOCK, &all, &before);
	r = stop_and_walk(dump, err);
	sigprocmask(SIG_SETMASK, &before, NULL);
	return r;
}

/* 0 if the stack was read; -EAGAIN if the thread must be stopped; -ESRCH. */
static int
look_from_outside(struct dump *dump)
{
	pid_t pid = dump->process->pid;
	struct observation seen;

	if (observation_take(pid, dump->tid, dump->program->space, &seen) < 0)
		return -ESRCH;
	dump->stopped = seen.stopped;
	dump->state = seen.stopped   ? "stopped"
		      : seen.blocked ? "blocked"
				     : "running";
	if (!seen.blocked)
		return -EAGAIN;
	walk(dump, &seen.regs, true);
	if (!observation_holds(pid, dump->tid, &seen))
		return -EAGAIN;
	return dump->stack.partial && observation_may_stop(dump->tid, &seen)
		       ? -EAGAIN
		       : 0;
}

/* Prints the stack of the thread, unless the thread ends meanwhile. */
static int
dump_thread(struct dump *dump, struct err *err)
{
	int r;

	dump->tries = 0;
	arena_init(&dump->arena);
	do {
		r = look_from_outside(dump);
		if (r == -EAGAIN)
			r = stop_undisturbed(dump, err);
	} while (r == -EAGAIN);
	if (r == 0)
		tell(dump);
	arena_release(&dump->arena);
	return r == -ESRCH ? 0 : r;
}

static int
dump_threads(struct dump *dump, struct err *err)
{
	struct pids tids = { 0 };
	int r = status_threads(dump->process->pid, &tids);

	if (r < 0)
		err_set(err, r, "process %d has ended", dump->process->pid);
	for (size_t i = 0; i < tids.list.count && r == 0; i++) {
		dump->tid = tids.list.at[i];
		r = dump_thread(dump, err);
	}
	vec_release(&tids.list);
	return r;
}

static int
dump_process(struct session *session, pid_t pid, struct err *err)
{
	struct table *table = &session->table;
	struct dump dump = { .session = session };
	struct space *space = space_new(pid, &table->tally);
	int r;

	dump.process = process_add(table, pid, space);
	process_hold(dump.process);
	dump.program = program_new(session, space);
	r = space_open(space, err);
	if (r == 0 && modules_look(dump.program) < 0)
		r = err_set(err, -ESRCH, "process %d has ended", pid);
	if (r == 0)
		r = dump_threads(&dump, err);
	program_free(dump.program);
	process_release(table, dump.process);
	return r;
}

int
dump(struct session *session, struct err *err)
{
	struct family family;
	size_t dumped = 0;
	int r = family_named(session->options, arch_of_host()->word, &family,
			     err);

	if (r < 0)
		return r;
	r = family_check(&family, 0, err);
	if (r == 0 && session->options->follow)
		family_grow(&family);
	for (size_t i = 0; i < family.pids.list.count && r == 0; i++) {
		r = dump_process(session, family.pids.list.at[i], err);
		if (r == 0)
			dumped++;
		else
			r = family_leave_out(&family, i, r, err);
	}
	if (r == 0 && family.left_out && dumped == 0)
		r = family_none_left(err);
	family_release(&family);
	return r;
}
