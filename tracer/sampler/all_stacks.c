/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread that runs is interrupted, and walked in its stop, without the names
 * of its frames. A thread that had begun to block makes its system call again
 * (thread_mend_interrupted()). If a signal has stopped the process, its threads
 * can be interrupted, too, and stay stopped.
 *
 * A thread that seems to run may be within a write(2) of many bytes, in which
 * it blocks again and again for a moment. An interrupt would end that call
 * after a part of the bytes. So xtrace observes such a thread several times
 * from outside, a millisecond apart, while the tracing continues:
 *
 *	blocks as long as a walk lasts		its stack is told
 *	stops in its own code, as at a trap	it is walked there
 *	is delayed by --inject			it is walked
 *	has run RUNS_ENOUGH times, and has	it is interrupted
 *	 not blocked meanwhile
 *	as before, but waits for a CPU often	after LATE_NS it is interrupted
 *						 if it has run once, and not
 *						 blocked CALM_ENOUGH times
 *	was once seen to block in a call that	after OBSERVATIONS_MOST its
 *	 the kernel does not continue		 innermost frame at that moment
 *	 (process/restart)			 is told
 *	was only seen to block in other calls	after OBSERVATIONS_MOST it is
 *						 interrupted when it has run
 *	all others				they are observed for
 *						 OBSERVING_NS; then the thread
 *						 is told without frames
 *
 * A stop that is not in the thread's own code, as in fork(), consumes the
 * interrupt; then the thread is observed further. A round in which many threads
 * are observed takes long. The next one begins after GAP_TIMES this time, so
 * that the rounds take at most a fifth of the tracer's time. Each thread is
 * observed at least OBSERVATIONS_LEAST times, even if this takes longer than
 * OBSERVING_NS.
 *
 * A stack without all of its frames says so.
 */
#include "tracer/sampler/all_stacks.h"

#include "arch/arch.h"
#include "base/clock.h"
#include "base/xmalloc.h"
#include "breakpoints/step.h"
#include "process/delay.h"
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

#define OBSERVATIONS_LEAST 20u
#define OBSERVATIONS_MOST 30u
#define OBSERVING_NS UINT64_C(2000000000)
#define RUNS_ENOUGH 5u
#define LATE_NS UINT64_C(500000000)
#define CALM_ENOUGH 10u
/* The gap between two rounds: this time, or, if it is longer, the time that the
 * last round has taken, so many times. */
#define GAP_NS 1000000
#define GAP_TIMES 4

/* A thread whose stack is wanted and not told yet, and what was seen of it. */
struct wanted_stack {
	pid_t tid;
	bool interrupted;   /* its stop is awaited */
	unsigned count;	    /* how often it was observed */
	unsigned ran;	    /* how often it has run, and not blocked since */
	unsigned calm;	    /* how many observations ago it has blocked */
	uint64_t voluntary; /* how often it had blocked when it was last
			       observed */
	uint64_t stops;	    /* how often it has stopped for xtrace */
	bool continued; /* has blocked in a call that the kernel continues */
	uint64_t when;	/* the time of `seen`, or 0 */
	/* how it blocked in a call that the kernel does not continue */
	struct observation seen;
};

struct all_stacks {
	struct followed followed;
	vec_of(struct wanted_stack) wanted; /* threads to observe again */
	uint64_t begun;			    /* when the key was pressed */
	vec_of(struct sample *) walked;	    /* samples that are not told yet */
	uint64_t next;			    /* when they are due */
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
	vec_release(&all_stacks->wanted);
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
want(struct all_stacks *all, pid_t tid)
{
	const struct wanted_stack wanted = { .tid = tid };

	vec_push(&all->wanted, wanted);
}

/* Walks the stack of a stopped thread. own: its registers if it is known to be
 * in its own code; NULL: it may be within a system call. */
static void
walk_stopped(struct session *session, struct thread *thread, bool halted,
	     const struct regs *own)
{
	struct program *program =
		session_program(session, thread->process->space);
	const struct regs *regs =
		own ? own : thread_regs(&session->table, thread);
	struct sample *sample;

	if (!program || !regs)
		return;
	sample = sample_new(program, thread);
	sample->regs = *regs;
	regs_set_pc(&sample->regs,
		    step_original(&program->sites, regs_pc(regs)));
	sample->halted = halted;
	sample->blocked = !own && thread_blocked_in(thread, regs, &sample->at);
	sample_walk(sample, program_memory(program));
	vec_push(&session->all_stacks->walked, sample);
}

static struct wanted_stack *
wanted_of(struct all_stacks *all, pid_t tid)
{
	for (size_t i = 0; i < all->wanted.count; i++)
		if (all->wanted.at[i].tid == tid)
			return &all->wanted.at[i];
	return NULL;
}

static void
end_wanted(struct all_stacks *all, struct wanted_stack *wanted)
{
	vec_remove(&all->wanted, (size_t)(wanted - all->wanted.at));
}

void
all_stacks_trapped(struct session *session, struct thread *thread,
		   const struct regs *regs)
{
	struct all_stacks *all = session->all_stacks;
	struct wanted_stack *wanted = all ? wanted_of(all, thread->tid) : NULL;

	if (!wanted)
		return;
	walk_stopped(session, thread, false, regs);
	end_wanted(all, wanted);
}

/* A thread that is observed may stop for another reason, as for --sample. */
void
all_stacks_stopped(struct session *session, const struct stop *stop)
{
	struct all_stacks *all = session->all_stacks;
	struct wanted_stack *wanted =
		all && stop->thread ? wanted_of(all, stop->tid) : NULL;

	if (!wanted)
		return;
	switch (stop->kind) {
	case STOP_INTERRUPT:
	case STOP_SIGNAL:
	case STOP_SYSCALL:
	case STOP_GROUP:
		walk_stopped(session, stop->thread, stop->kind == STOP_GROUP,
			     NULL);
		end_wanted(all, wanted);
		break;
	case STOP_EXEC: /* what was seen belongs to the old program */
		*wanted = (struct wanted_stack){ .tid = stop->tid };
		break;
	case STOP_EXIT:
	case STOP_GONE:
		end_wanted(all, wanted);
		break;
	default: /* the stop has consumed the interrupt; see also
		  * all_stacks_trapped() */
		wanted->interrupted = false;
		wanted->stops++;
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
	  struct thread *thread, const struct wanted_stack *wanted)
{
	struct sample *sample = sample_new(program, thread);

	sample->stack.partial = true;
	if (wanted->when) {
		sample->when = wanted->when;
		sample->regs = wanted->seen.regs;
		sample->blocked = true;
		sample->at = wanted->seen.at;
		sample_walk_innermost(sample, program_memory(program));
	}
	tell(session, sample);
	sample_free(sample);
}

/* Does the thread run its own code, as far as can be seen? late: LATE_NS are
 * over. */
static bool
runs_undisturbed(struct wanted_stack *wanted, struct thread *thread,
		 const struct observation *seen, bool late)
{
	uint64_t voluntary = seen->voluntary - wanted->stops;
	bool runs;

	wanted->calm++;
	if (seen->blocked || voluntary != wanted->voluntary) {
		wanted->ran = wanted->calm = 0;
		woken_begin(thread);
	}
	wanted->voluntary = voluntary;
	runs = !seen->blocked && woken_look(thread) == WOKEN_RUNS;
	wanted->ran += runs;
	return wanted->ran >= RUNS_ENOUGH ||
	       (runs && wanted->count >= OBSERVATIONS_MOST &&
		wanted->continued) ||
	       (late && wanted->ran > 0 && wanted->calm >= CALM_ENOUGH);
}

/* Notes the call in which the thread blocks. */
static void
note_call(struct wanted_stack *wanted, const struct observation *seen)
{
	if (observation_may_stop(wanted->tid, seen)) {
		wanted->continued = true;
		return;
	}
	wanted->seen = *seen;
	wanted->when = clock_now();
}

static bool
interrupt(struct session *session, struct wanted_stack *wanted,
	  struct thread *thread)
{
	wanted->interrupted = thread_interrupt(&session->table, thread) == 0;
	return wanted->interrupted;
}

/* Observes a thread that was not interrupted. Returns false if its stack is
 * told, or the thread has ended. */
static bool
observe(struct session *session, struct wanted_stack *wanted,
	struct program *program, struct thread *thread)
{
	struct observation seen = { 0 };

	if (delay_waits(&session->table, thread->tid)) {
		walk_stopped(session, thread, false,
			     thread_regs(&session->table, thread));
		return false;
	}
	/* A trial stop (process/held.h) must not be disturbed. */
	if (thread->state == THREAD_STOPPED || thread->held.run == HELD_TRIES)
		return true;
	if (thread->state == THREAD_LISTENING)
		return interrupt(session, wanted, thread);
	if (observe_and_tell(session, program, thread) ||
	    observation_take(thread->process->pid, thread->tid, program->space,
			     &seen) < 0)
		return false;
	if (seen.blocked && !seen.traced && seen.at.number >= 0)
		note_call(wanted, &seen);
	if (!wanted->when &&
	    runs_undisturbed(wanted, thread, &seen,
			     clock_now() - session->all_stacks->begun >=
				     LATE_NS))
		return interrupt(session, wanted, thread);
	return true;
}

/* Was the thread observed often enough? An interrupted thread may have to wait
 * for a CPU before it stops. */
static bool
is_last(const struct all_stacks *all, const struct wanted_stack *wanted)
{
	uint64_t most = wanted->interrupted ? 2 * OBSERVING_NS : OBSERVING_NS;

	return (wanted->when && wanted->count >= OBSERVATIONS_MOST) ||
	       (wanted->count >= OBSERVATIONS_LEAST &&
		clock_now() - all->begun >= most);
}

/* Returns true if the thread is to be observed again. */
static bool
observe_once(struct session *session, struct wanted_stack *wanted)
{
	struct thread *thread = table_thread(&session->table, wanted->tid);
	struct program *program =
		thread ? session_program(session, thread->process->space)
		       : NULL;

	if (!program)
		return false;
	if (wanted->count++ == 0)
		followed_prepare(&session->all_stacks->followed, program);
	if (!wanted->interrupted && !observe(session, wanted, program, thread))
		return false;
	if (!is_last(session->all_stacks, wanted))
		return true;
	tell_seen(session, program, thread, wanted);
	return false;
}

static void
observe_each(struct session *session)
{
	struct all_stacks *all = session->all_stacks;
	uint64_t begun = clock_now(), over;
	size_t kept = 0;

	for (size_t i = 0; i < all->wanted.count; i++) {
		struct wanted_stack wanted = all->wanted.at[i];

		if (observe_once(session, &wanted))
			all->wanted.at[kept++] = wanted;
	}
	all->wanted.count = kept;
	over = clock_now();
	all->next = over + GAP_NS;
	if (GAP_TIMES * (over - begun) > GAP_NS)
		all->next = over + GAP_TIMES * (over - begun);
}

static void
tell_walked(struct session *session)
{
	struct all_stacks *all = session->all_stacks;

	for (size_t i = 0; i < all->walked.count; i++) {
		tell(session, all->walked.at[i]);
		sample_free(all->walked.at[i]);
	}
	vec_clear(&all->walked);
}

void
all_stacks_work(struct session *session)
{
	struct all_stacks *all = session->all_stacks;

	if (!all)
		return;
	if (all->wanted.count > 0 && clock_now() >= all->next)
		observe_each(session);
	tell_walked(session);
}

uint64_t
all_stacks_next(const struct session *session)
{
	const struct all_stacks *all = session->all_stacks;

	return all && all->wanted.count > 0 ? all->next : 0;
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
		want(session->all_stacks, thread->tid);
}

void
all_stacks_take(struct session *session)
{
	const struct table *table = &session->table;
	size_t taken = 0, left = 0, narrow = 0;

	begin(session);
	session->all_stacks->begun = clock_now();
	vec_clear(&session->all_stacks->wanted);
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
