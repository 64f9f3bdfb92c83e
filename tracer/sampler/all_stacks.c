/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that runs is interrupted, and walked in its stop, without the names
 * of its frames. If it stops for another reason first, this stop has consumed
 * the interrupt, and xtrace looks at the thread anew. A thread that had begun
 * to block makes its system call again (thread_mend_interrupted()). If a signal
 * has stopped the process, its threads can be interrupted, too, and stay
 * stopped.
 *
 * A thread that seems to run may be within a write(2) of many bytes, in which
 * it blocks again and again for a moment. An interrupt would end that call
 * after a part of the bytes. So xtrace looks at such a thread several times
 * from outside, a millisecond apart, while the tracing continues:
 *
 *	blocks as long as a walk lasts		its stack is told
 *	has run RUNS_ENOUGH times, and has	it is interrupted
 *	 not blocked meanwhile
 *	was once seen to block in a call that	after LOOKS_MOST looks its
 *	 the kernel does not continue		 innermost frame at that moment
 *	 (process/restart)			 is told
 *	was only seen to block in other calls	after LOOKS_MOST looks it is
 *						 interrupted when it has run
 *	all others				the looks continue until
 *						 LOOKS_LAST; then the thread is
 *						 told without frames
 *
 * A stack without all of its frames says so.
 */
#include "tracer/sampler/all_stacks.h"

#include "arch/arch.h"
#include "base/clock.h"
#include "base/xmalloc.h"
#include "process/observation.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/space.h"
#include "process/status.h"
#include "process/woken.h"
#include "tracer/model/say.h"
#include "tracer/sampler/followed.h"
#include "tracer/sampler/sample.h"

/* If there are more threads than this, only the first ones are shown. */
#define THREADS_MOST 1000u

#define LOOKS_MOST 30u
#define LOOKS_LAST 500u
#define RUNS_ENOUGH 5u
#define LOOK_GAP_NS 1000000

/* What was seen of a thread that is not told yet. */
struct looks {
	pid_t tid;
	unsigned count;
	unsigned ran;	    /* how often it has run, and not blocked since */
	uint64_t voluntary; /* how often it had blocked at the last look */
	uint64_t stops;	    /* how often it has stopped for xtrace */
	bool continued; /* has blocked in a call that the kernel continues */
	uint64_t when;	/* the time of `seen`, or 0 */
	/* how it blocked in a call that the kernel does not continue */
	struct observation seen;
};

struct all_stacks {
	struct followed followed;
	vec_of(pid_t) awaited;		/* threads that were interrupted */
	vec_of(struct looks) looks;	/* threads to look at again */
	vec_of(struct sample *) walked; /* samples that are not told yet */
	uint64_t next;			/* the time of the next looks, or 0 */
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
	vec_release(&all_stacks->looks);
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
look_again(struct all_stacks *all, pid_t tid)
{
	const struct looks looks = { .tid = tid };

	vec_push(&all->looks, looks);
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

static struct looks *
looks_of(struct all_stacks *all, pid_t tid)
{
	for (size_t i = 0; i < all->looks.count; i++)
		if (all->looks.at[i].tid == tid)
			return &all->looks.at[i];
	return NULL;
}

/* A thread that is looked at may stop for another reason, as for --sample. */
void
all_stacks_stopped(struct session *session, const struct stop *stop)
{
	struct all_stacks *all = session->all_stacks;
	struct looks *looks;
	bool awaited;

	if (!all || !stop->thread)
		return;
	awaited = take_awaited(all, stop->tid);
	looks = looks_of(all, stop->tid);
	if (!awaited && !looks)
		return;
	switch (stop->kind) {
	case STOP_INTERRUPT:
	case STOP_SIGNAL:
	case STOP_SYSCALL:
	case STOP_GROUP:
		walk_stopped(session, stop);
		if (looks)
			vec_remove(&all->looks,
				   (size_t)(looks - all->looks.at));
		break;
	case STOP_EXEC:
	case STOP_EXIT:
	case STOP_GONE:
		break;
	default: /* the stop has consumed the interrupt */
		if (awaited)
			look_again(all, stop->tid);
		else
			looks->stops++;
	}
}

static bool
observe_and_tell(struct session *session, struct program *program,
		 struct thread *thread)
{
	struct sample *sample = sample_observe(program, thread);

	if (sample)
		tell(session, sample);
	sample_free(sample);
	return sample;
}

/* Tells the innermost frame at the moment when the thread was seen to block, or
 * no frame. */
static void
tell_seen(struct session *session, struct program *program,
	  struct thread *thread, const struct looks *looks)
{
	struct sample *sample = sample_new(program, thread);

	sample->stack.partial = true;
	if (looks->when) {
		sample->when = looks->when;
		sample->regs = looks->seen.regs;
		sample->blocked = true;
		sample->at = looks->seen.at;
		sample_walk_innermost(sample, program_memory(program));
	}
	tell(session, sample);
	sample_free(sample);
}

/* Has the thread run its own code at this look and at those before it, as far
 * as can be seen? After LOOKS_MOST looks, one look is enough if the thread was
 * only seen to block in calls that the kernel continues. */
static bool
runs_undisturbed(struct looks *looks, struct thread *thread,
		 const struct observation *seen)
{
	uint64_t voluntary = seen->voluntary - looks->stops;

	if (seen->blocked || voluntary != looks->voluntary) {
		looks->ran = 0;
		woken_begin(thread);
	}
	looks->voluntary = voluntary;
	if (seen->blocked || woken_look(thread) != WOKEN_RUNS)
		return false;
	return ++looks->ran >= RUNS_ENOUGH ||
	       (looks->count >= LOOKS_MOST && looks->continued);
}

/* Notes the call in which the thread blocks. */
static void
note_call(struct looks *looks, const struct observation *seen)
{
	if (observation_may_stop(looks->tid, seen)) {
		looks->continued = true;
		return;
	}
	looks->seen = *seen;
	looks->when = clock_now();
}

static void
interrupt(struct session *session, struct thread *thread)
{
	if (thread_interrupt(&session->table, thread) == 0)
		vec_push(&session->all_stacks->awaited, thread->tid);
}

/* Returns true if the thread is to be looked at again. */
static bool
look(struct session *session, struct looks *looks, struct program *program,
     struct thread *thread)
{
	struct observation seen = { 0 };

	/* A trial stop (process/held.h) must not be disturbed. */
	if (thread->state == THREAD_STOPPED || thread->held.run == HELD_TRIES)
		return true;
	if (thread->state == THREAD_LISTENING) {
		interrupt(session, thread);
		return false;
	}
	looks->count++;
	if (observe_and_tell(session, program, thread))
		return false;
	if (observation_take(thread->process->pid, thread->tid, program->space,
			     &seen) < 0)
		return false;
	if (seen.blocked && !seen.traced && seen.at.number >= 0)
		note_call(looks, &seen);
	if (!looks->when && runs_undisturbed(looks, thread, &seen)) {
		interrupt(session, thread);
		return false;
	}
	if (looks->count < (looks->when ? LOOKS_MOST : LOOKS_LAST))
		return true;
	tell_seen(session, program, thread, looks);
	return false;
}

static void
look_at_each(struct session *session)
{
	struct all_stacks *all = session->all_stacks;
	size_t kept = 0;

	for (size_t i = 0; i < all->looks.count; i++) {
		struct looks looks = all->looks.at[i];
		struct thread *thread =
			table_thread(&session->table, looks.tid);
		struct program *program =
			thread ? session_program(session,
						 thread->process->space)
			       : NULL;

		if (program && look(session, &looks, program, thread))
			all->looks.at[kept++] = looks;
	}
	all->looks.count = kept;
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
	if (clock_now() < all->next)
		return;
	look_at_each(session);
	all->next = all->looks.count > 0 ? clock_now() + LOOK_GAP_NS : 0;
}

uint64_t
all_stacks_next(const struct session *session)
{
	return session->all_stacks ? session->all_stacks->next : 0;
}

/* ---- all threads ----------------------------------------------------------
 */

static void
take_one(struct session *session, struct program *program,
	 struct thread *thread)
{
	followed_prepare(&session->all_stacks->followed, program);
	if (thread->state != THREAD_RUNNING ||
	    !observe_and_tell(session, program, thread))
		look_again(session->all_stacks, thread->tid);
}

void
all_stacks_take(struct session *session)
{
	const struct table *table = &session->table;
	size_t taken = 0, left = 0, narrow = 0;

	begin(session);
	vec_clear(&session->all_stacks->awaited);
	vec_clear(&session->all_stacks->looks);
	for (size_t i = 0; i < table->everyone.count; i++) {
		struct thread *thread = table->everyone.at[i];
		struct program *program =
			session_program(session, thread->process->space);

		if (!program || session_record(session, thread)->silent)
			continue;
		if (program->space->arch != arch_of_host())
			narrow++;
		else if (taken++ >= THREADS_MOST)
			left++;
		else
			take_one(session, program, thread);
	}
	if (left > 0)
		say("the stacks of %zu more threads are not shown", left);
	if (narrow > 0)
		say("the stacks of threads of 32-bit programs are not shown");
}
