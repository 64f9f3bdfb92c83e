/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that runs is interrupted, and walked in its stop, without the names
 * of its frames. If it stops for another reason first, this stop has consumed
 * the interrupt, and the thread is interrupted again. A thread that had begun
 * to block makes its system call again (thread_mend_interrupted()). If a signal
 * has stopped the process, its threads can be interrupted, too, and stay
 * stopped.
 */
#include "tracer/sampler/all_stacks.h"

#include "arch/arch.h"
#include "base/xmalloc.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/status.h"
#include "tracer/model/say.h"
#include "tracer/sampler/followed.h"
#include "tracer/sampler/sample.h"

/* If there are more threads than this, only the first ones are shown. */
#define THREADS_MOST 1000u

struct all_stacks {
	struct followed followed;
	vec_of(pid_t) awaited;		/* threads that were interrupted */
	vec_of(pid_t) again;		/* threads to interrupt */
	vec_of(struct sample *) walked; /* samples that are not told yet */
};

static void
begin(struct session *session)
{
	if (session->all_stacks)
		return;
	session->all_stacks = xcalloc(1, sizeof(*session->all_stacks));
	followed_init(&session->all_stacks->followed);
}

void
all_stacks_free(struct all_stacks *all_stacks)
{
	if (!all_stacks)
		return;
	for (size_t i = 0; i < all_stacks->walked.count; i++)
		sample_free(all_stacks->walked.at[i]);
	followed_release(&all_stacks->followed);
	vec_release(&all_stacks->awaited);
	vec_release(&all_stacks->again);
	vec_release(&all_stacks->walked);
	free(all_stacks);
}

static void
tell(struct session *session, struct sample *sample)
{
	struct event_call call = { 0 };
	struct event event = {
		.kind = EVENT_STACK,
		.when = sample->when,
		.pid = sample->pid,
		.tid = sample->tid,
		.call = &call,
		.state = sample->halted	   ? "stopped"
			 : sample->blocked ? "blocked"
					   : "running",
	};
	char name[64];

	if (!session_runs(session, sample->pid, sample->serial))
		return;
	sample_name(sample);
	call.frames = sample->stack.at;
	call.frame_count = (unsigned)sample->stack.count;
	call.frames_partial = sample->stack.partial;
	call.frames_apart = (unsigned)sample->stack.apart;
	status_name(sample->tid, name, sizeof(name));
	event.text = name;
	report_event(session, &event);
}

/* ---- threads that run -----------------------------------------------------
 */

static void
interrupt(struct session *session, struct thread *thread)
{
	struct all_stacks *all = session->all_stacks;

	/* A trial stop (process/held.h) must not be disturbed. */
	if (thread->state == THREAD_STOPPED || thread->held.run == HELD_TRIES)
		vec_push(&all->again, thread->tid);
	else if (thread_interrupt(&session->table, thread) == 0)
		vec_push(&all->awaited, thread->tid);
}

static bool
take_awaited(struct all_stacks *all, pid_t tid)
{
	for (size_t i = 0; i < all->awaited.count; i++) {
		if (all->awaited.at[i] == tid) {
			vec_remove(&all->awaited, i);
			return true;
		}
	}
	return false;
}

static void
walk_stopped(struct session *session, const struct stop *stop)
{
	struct thread *thread = stop->thread;
	struct program *program =
		session_program(session, thread->process->space);
	const struct regs *regs = thread_regs(&session->table, thread);
	struct sample *sample;

	if (!program || !regs)
		return;
	sample = sample_new(program, thread);
	sample->regs = *regs;
	sample->halted = stop->kind == STOP_GROUP;
	sample->blocked = thread_blocked_in(thread, regs, &sample->at);
	sample_walk(sample, program_memory(program));
	vec_push(&session->all_stacks->walked, sample);
}

void
all_stacks_stopped(struct session *session, const struct stop *stop)
{
	struct all_stacks *all = session->all_stacks;

	if (!all || !stop->thread || !take_awaited(all, stop->tid))
		return;
	switch (stop->kind) {
	case STOP_INTERRUPT:
	case STOP_SIGNAL:
	case STOP_SYSCALL:
	case STOP_GROUP:
		walk_stopped(session, stop);
		break;
	case STOP_EXEC:
	case STOP_EXIT:
	case STOP_GONE:
		break;
	default: /* the stop has consumed the interrupt */
		vec_push(&all->again, stop->tid);
	}
}

static void
interrupt_again(struct session *session)
{
	struct all_stacks *all = session->all_stacks;
	size_t count = all->again.count;

	for (size_t i = 0; i < count; i++) {
		struct thread *thread =
			table_thread(&session->table, all->again.at[i]);

		if (thread)
			interrupt(session, thread);
	}
	if (count == 0)
		return;
	memmove(all->again.at, all->again.at + count,
		(all->again.count - count) * sizeof(all->again.at[0]));
	all->again.count -= count;
}

void
all_stacks_work(struct session *session)
{
	struct all_stacks *all = session->all_stacks;

	if (!all)
		return;
	for (size_t i = 0; i < all->walked.count; i++) {
		tell(session, all->walked.at[i]);
		sample_free(all->walked.at[i]);
	}
	vec_clear(&all->walked);
	interrupt_again(session);
}

/* ---- all threads ----------------------------------------------------------
 */

static void
take_one(struct session *session, struct program *program,
	 struct thread *thread)
{
	struct sample *sample;

	followed_prepare(&session->all_stacks->followed, program);
	sample = thread->state == THREAD_RUNNING
			 ? sample_observe(program, thread)
			 : NULL;
	if (!sample) {
		interrupt(session, thread);
		return;
	}
	tell(session, sample);
	sample_free(sample);
}

void
all_stacks_take(struct session *session)
{
	const struct table *table = &session->table;
	size_t taken = 0, left = 0, narrow = 0;

	begin(session);
	vec_clear(&session->all_stacks->awaited);
	vec_clear(&session->all_stacks->again);
	for (size_t i = 0; i < table->everyone.count; i++) {
		struct thread *thread = table->everyone.at[i];
		struct program *program =
			session_program(session, thread->process->space);

		if (!program || session_record(session, thread)->silent)
			continue;
		if (program->space->arch != arch_of_host())
			narrow++;
		else if (taken >= THREADS_MOST)
			left++;
		else
			take_one(session, program, thread);
		taken++;
	}
	if (left > 0)
		say("the stacks of %zu more threads are not shown", left);
	if (narrow > 0)
		say("the stacks of threads of 32-bit programs are not shown");
}
