/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What a round, at a random moment, does with a thread that
 *
 *	runs seldom				mostly not looked at
 *	blocks since before the last round	nothing is done
 *	blocks					CPU time: nothing; by the clock:
 *						its stack is read from outside
 *	runs					interrupted
 *
 *	interrupted -> stopped -> copied -> resumed -> walked, named, told
 *
 * A sample counts the thread's CPU time since its last sample. So a round that
 * comes late loses nothing, and the samples of a thread add up to its CPU time.
 * What is left at the thread's end has no sample and is told as such.
 *
 * By CPU time a thread that waits for a CPU has no sample (sampler/moment). A
 * round stops at most twice as many threads, at random, as there are CPUs.
 *
 * A walk that needs something which was not copied reads the memory of a thread
 * that runs again, and may see a torn stack. Then the sample is thrown away and
 * taken again at once. If that copy is not enough either, the thread is held
 * while it is walked.
 *
 * A thread may begin to block between the round and the interrupt. Then the
 * interrupt ends its system call, and the kernel makes the call again
 * (thread_mend_interrupted()).
 */
#include "tracer/sampler/sampler.h"

#include "base/clock.h"
#include "base/xmalloc.h"
#include "process/regs.h"
#include "process/resume.h"
#include "process/slice.h"
#include "process/space.h"
#include "tracer/model/say.h"
#include "tracer/report/where.h"
#include "tracer/sampler/followed.h"
#include "tracer/sampler/moment.h"
#include "tracer/sampler/sample.h"
#include "tracer/sampler/sampled.h"
#include "tracer/sampler/schedule.h"
#include "tracer/sampler/seldom.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* After an insufficient copy, this many walks are made of a stopped thread. */
#define WALK_HELD_AGAIN 2

/* How often in a row, at most, a thread without a CPU is refused a sample. */
#define REFUSED_MOST 256

struct sampler {
	struct session *session;
	enum sample_mode mode;
	bool locks_seen; /* an interpreter's lock was seen */
	struct schedule schedule;
	uint64_t next; /* when the next round is; 0: there was none yet */
	bool begun;    /* the first round is over */
	bool ended;
	size_t stops_most;    /* the most stops in a round */
	struct moment moment; /* the moment of this round */
	/* the running threads of this round */
	vec_of(struct sampled *) running;
	struct seldom seldom;
	vec_of(struct sample *) copied; /* stacks that are not walked yet */
	/* Threads that are interrupted again: they stopped for another reason
	 * before their interrupt, or their copy was not enough. */
	vec_of(pid_t) again;
	struct followed followed;
	struct sampler_counts counts;
};

struct sampler *
sampler_new(struct session *session)
{
	struct sampler *sampler;
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	if (session->options->sample == 0)
		return NULL;
	sampler = xcalloc(1, sizeof(*sampler));
	sampler->session = session;
	sampler->mode = session->options->sample_mode;
	sampler->stops_most = cpus > 0 ? 2 * (size_t)cpus : 2;
	moment_init(&sampler->moment);
	followed_init(&sampler->followed);
	schedule_init(&sampler->schedule, session->options->sample,
		      clock_now() ^ (uint64_t)getpid() << 32);
	return sampler;
}

void
sampler_free(struct sampler *sampler)
{
	if (!sampler)
		return;
	for (size_t i = 0; i < sampler->copied.count; i++)
		sample_free(sampler->copied.at[i]);
	moment_release(&sampler->moment);
	vec_release(&sampler->copied);
	vec_release(&sampler->running);
	seldom_release(&sampler->seldom);
	vec_release(&sampler->again);
	followed_release(&sampler->followed);
	free(sampler);
}

const struct sampler_counts *
sampler_counts(const struct sampler *sampler)
{
	return &sampler->counts;
}

/* ---- telling ---------------------------------------------------------------
 */

static struct sampled *
sampled_of_tid(const struct session *session, pid_t tid)
{
	const struct thread_record *record =
		map_get(&session->records, (uint64_t)tid);

	return record ? record->sampled : NULL;
}

static bool
is_program_of(struct session *session, const struct sample *sample)
{
	return session_runs(session, sample->pid, sample->serial);
}

static void
count(struct sampled *sampled, const struct sample *sample, uint64_t reached)
{
	if (!sample->kept_back)
		sample_tell(sample, sampled->name,
			    clock_between(sampled->counted, reached));
	sampled->counted = reached;
}

/* Tells the time for which the thread has blocked at the same place. */
static void
tell_idle(struct sampled *sampled)
{
	struct sample *last = sampled->last;

	if (!last || sampled->idle_until <= sampled->counted)
		return;
	last->when = sampled->idle_until;
	count(sampled, last, sampled->idle_until);
}

static void
forget_last(struct sampled *sampled)
{
	tell_idle(sampled);
	sample_free(sampled->last);
	sampled->last = NULL;
}

static void
tell(struct sampler *sampler, struct sampled *sampled, struct sample *sample)
{
	forget_last(sampled);
	sampler->counts.samples++;
	sample_name(sample);
	status_name(sample->tid, sampled->name, sizeof(sampled->name));
	sample->kept_back = sampler->mode == SAMPLE_GIL &&
			    sample->activity.lock == SOURCE_LOCK_UNKNOWN;
	sampler->locks_seen |=
		sampler->mode == SAMPLE_GIL && !sample->kept_back;
	count(sampled, sample, sample->reached);
	if (sample_has_unknown(sample))
		followed_read(&sampler->followed, sample->program);
}

/* Walks the stack in the copy. False if the walk needed memory that was read
 * later than the copy. */
static bool
walk_copy(struct sampled *sampled, struct sample *sample)
{
	if (sample->is_walked)
		return true;
	sample_walk(sample, &sampled->copy->reader);
	return sampled->copy->missed == 0;
}

static void
count_held(struct sampler_counts *counts, const struct sample *sample,
	   const struct thread *thread)
{
	uint64_t held = clock_between(sample->stopped, thread->held.resumed);

	counts->stops++;
	counts->held_ns += held;
	if (held > counts->held_most_ns)
		counts->held_most_ns = held;
}

static void
complete(struct sampler *sampler, struct sample *sample)
{
	struct sampled *sampled = sampled_of_tid(sampler->session, sample->tid);

	if (!sampled || !is_program_of(sampler->session, sample))
		return;
	count_held(&sampler->counts, sample, sampled->record->thread);
	sampled_find_stack(sampled, sample->pid, regs_sp(&sample->regs));
	if (walk_copy(sampled, sample)) {
		sampled->short_copies = 0;
		tell(sampler, sampled, sample);
		return;
	}
	sampler->counts.again++;
	/* This walk has shown what to copy, so the sample is taken again. */
	if (++sampled->short_copies > 1)
		sampled->walk_held = WALK_HELD_AGAIN;
	sampled->retried = true;
	vec_push(&sampler->again, sample->tid);
}

static void
complete_all(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->copied.count; i++) {
		complete(sampler, sampler->copied.at[i]);
		sample_free(sampler->copied.at[i]);
	}
	vec_clear(&sampler->copied);
}

/* Tells the CPU time of a thread that is in no sample. */
static void
tell_rest(struct sampler *sampler, struct sampled *sampled)
{
	const struct thread *thread = sampled->record->thread;
	uint64_t rest = clock_between(sampled->counted, sampled->times.cpu);

	forget_last(sampled);
	if (rest > 0 && sampler->mode == SAMPLE_CPU)
		sample_tell_none(sampler->session, thread,
				 sampled->name[0] ? sampled->name : NULL, rest);
	sampled->counted += rest;
}

/* ---- stopping --------------------------------------------------------------
 */

/* A trial stop (process/held.h) must not be disturbed. */
static bool
may_interrupt(const struct thread *thread)
{
	return thread->state == THREAD_RUNNING &&
	       thread->held.run != HELD_TRIES;
}

static void
interrupt(struct sampler *sampler, struct sampled *sampled)
{
	struct thread *thread = sampled->record->thread;

	if (!may_interrupt(thread) ||
	    activity_times(&sampled->activity, &sampled->asked) < 0 ||
	    thread_interrupt(&sampler->session->table, thread) < 0)
		return;
	sampled->wanted = true;
}

/* The thread's time that samples count. */
static uint64_t
time_of(const struct sampler *sampler, const struct sampled *sampled)
{
	return sampler->mode == SAMPLE_CPU ? sampled->times.cpu : clock_now();
}

/*
 * Whether a thread that waited for a CPU when it was to be stopped may have a
 * sample all the same. By CPU time it may not, with three exceptions: it had a
 * CPU when the round was due, and xtrace has taken this CPU; it is sampled
 * again after a copy that was not enough; it was refused very often.
 */
static bool
may_have_waited(struct sampler *sampler, struct sampled *sampled, uint64_t seen)
{
	struct moment *moment = &sampler->moment;
	const struct moment_times times = { sampled->asked, sampled->times };

	if (sampler->mode != SAMPLE_CPU || sampled->retried ||
	    moment_lost_cpu(&times, moment_got(moment, seen), moment->due) ||
	    sampled->refused >= REFUSED_MOST)
		return true;
	sampled->refused++;
	sampler->counts.refused++;
	return false;
}

static void
take_sample(struct sampler *sampler, struct sampled *sampled,
	    struct thread *thread)
{
	struct session *session = sampler->session;
	struct program *program =
		session_program(session, thread->process->space);
	const struct regs *regs = thread_regs(&session->table, thread);
	struct sample *sample;
	bool waited;

	if (!program || !regs ||
	    activity_times(&sampled->activity, &sampled->times) < 0)
		return;
	waited = !sampled_had_cpu(sampled, regs);
	if (waited && !may_have_waited(sampler, sampled, thread->held.seen))
		return;
	sampled->refused = 0;
	sampled->retried = false;
	sample = sample_new(program, thread);
	sample->regs = *regs;
	sample->reached = time_of(sampler, sampled);
	sample->stopped = thread->held.seen;
	sample->waited = waited;
	sampled_copy(sampled, program_memory(program), regs);
	if (sampled->walk_held > 0)
		sample_walk(sample, &sampled->copy->reader);
	if (sampled->walk_held > 0)
		sampled->walk_held--;
	vec_push(&sampler->copied, sample);
}

void
sampler_stopped(struct session *session, const struct stop *stop)
{
	struct sampler *sampler = session->sampler;
	struct sampled *sampled =
		sampler ? sampled_of_tid(session, stop->tid) : NULL;

	if (!sampled || !sampled->wanted || !stop->thread)
		return;
	sampled->wanted = false;
	switch (stop->kind) {
	case STOP_INTERRUPT:
	case STOP_SIGNAL:
	case STOP_SYSCALL:
		take_sample(sampler, sampled, stop->thread);
		break;
	case STOP_GROUP:
	case STOP_EXEC:
	case STOP_EXIT:
	case STOP_GONE:
		break;
	default: /* the stop has consumed the interrupt */
		vec_push(&sampler->again, stop->tid);
	}
}

/* ---- rounds ----------------------------------------------------------------
 */

/* What the sampler knows of the thread; made when it is first asked for. NULL
 * if the kernel does not tell the thread's times. */
static struct sampled *
sampled_of(struct sampler *sampler, struct thread *thread)
{
	struct thread_record *record = session_record(sampler->session, thread);
	struct sampled *sampled = record->sampled;

	if (sampled || record->silent)
		return record->silent ? NULL : sampled;
	sampled = sampled_new(record);
	if (!sampled)
		return NULL;
	/* The time before the first round is in no sample, so it does not
	 * count. For a thread that began later, all of its CPU time counts. */
	sampled->counted = sampler->begun && sampler->mode == SAMPLE_CPU
				   ? 0
				   : time_of(sampler, sampled);
	sampled->sampler = sampler;
	record->sampled = sampled;
	return sampled;
}

static void
observe_and_tell(struct sampler *sampler, struct sampled *sampled)
{
	struct thread *thread = sampled->record->thread;
	struct program *program =
		session_program(sampler->session, thread->process->space);
	struct sample *sample;

	if (!program)
		return;
	followed_prepare(&sampler->followed, program);
	sample = sample_observe(program, thread);
	/* The thread ran meanwhile: the next round looks at it again. */
	if (!sample) {
		sampler->counts.dropped++;
		sampled->runs_on = true;
		return;
	}
	sample->reached = sampled->idle_until = clock_now();
	tell(sampler, sampled, sample);
	sampled->last = sample;
}

static void
look_at(struct sampler *sampler, struct sampled *sampled)
{
	enum sampled_state state;

	sampler->counts.examined++;
	state = sampled_look(sampled, sampler->mode != SAMPLE_CPU);
	if (state == SAMPLED_RUNS)
		vec_push(&sampler->running, sampled);
	else if (state == SAMPLED_BLOCKS && sampler->mode != SAMPLE_CPU)
		observe_and_tell(sampler, sampled);
	else if (state == SAMPLED_SAME && sampled->last)
		sampled->idle_until = clock_now();
}

/* Looks at the thread, unless it runs seldom. */
static void
consider(struct sampler *sampler, struct thread *thread, bool judge)
{
	struct sampled *sampled;

	if (thread->state != THREAD_RUNNING)
		return;
	sampled = sampled_of(sampler, thread);
	if (!sampled || sampled->wanted)
		return;
	if (judge)
		sampled_judge(sampled);
	if (sampled->seldom)
		vec_push(&sampler->seldom.threads, sampled);
	else
		look_at(sampler, sampled);
}

static void
look_at_seldom(struct sampler *sampler)
{
	struct sampled *sampled;
	unsigned taken = 0;

	while ((sampled = seldom_next(&sampler->seldom, &sampler->schedule,
				      taken++)))
		look_at(sampler, sampled);
}

static void
interrupt_some(struct sampler *sampler)
{
	for (size_t i = 0;
	     i < sampler->stops_most && sampler->running.count > 0; i++) {
		size_t n = schedule_below(&sampler->schedule,
					  sampler->running.count);
		struct sampled *sampled = sampler->running.at[n];
		const struct thread *thread = sampled->record->thread;
		struct program *program =
			session_program(sampler->session,
					thread->process->space);

		if (program) {
			followed_prepare(&sampler->followed, program);
			interrupt(sampler, sampled);
		}
		vec_remove(&sampler->running, n);
	}
}

static void
take_round(struct sampler *sampler)
{
	const struct table *table = &sampler->session->table;
	bool judge = seldom_is_time(&sampler->seldom, clock_now());

	/* A round that has to wait for a CPU is not at a random moment. */
	if (!sampler->begun)
		slice_shorten();
	sampler->counts.rounds++;
	vec_clear(&sampler->running);
	vec_clear(&sampler->seldom.threads);
	for (size_t i = 0; i < table->everyone.count; i++)
		consider(sampler, table->everyone.at[i], judge);
	look_at_seldom(sampler);
	interrupt_some(sampler);
	sampler->begun = true;
}

/* Interrupts once more the threads that stopped for another reason before their
 * interrupt, and threads whose copied stack was too short. A thread that blocks
 * now is not interrupted. */
static void
interrupt_again(struct sampler *sampler)
{
	for (size_t i = 0; i < sampler->again.count; i++) {
		struct sampled *sampled =
			sampled_of_tid(sampler->session, sampler->again.at[i]);
		struct blocked blocked;

		if (sampled && !sampled->wanted &&
		    activity_call(&sampled->activity, &blocked) == 0 &&
		    blocked.running)
			interrupt(sampler, sampled);
	}
	vec_clear(&sampler->again);
}

void
sampler_work(struct session *session)
{
	struct sampler *sampler = session->sampler;

	if (!sampler || sampler->ended)
		return;
	complete_all(sampler);
	interrupt_again(sampler);
	if (clock_now() >= sampler->next) {
		sampler->moment.due = sampler->next;
		take_round(sampler);
		sampler->next = clock_now() + schedule_gap(&sampler->schedule);
	}
	moment_wait(&sampler->moment);
}

uint64_t
sampler_next(const struct session *session)
{
	return session->sampler ? session->sampler->next : 0;
}

void
sampler_tick(struct session *session)
{
	size_t cursor = 0;
	void *item;

	if (!session->sampler)
		return;
	while (map_next(&session->programs, &cursor, NULL, &item))
		followed_read(&session->sampler->followed, item);
	cursor = 0;
	while (map_next(&session->records, &cursor, NULL, &item)) {
		struct sampled *sampled =
			((struct thread_record *)item)->sampled;

		if (sampled)
			tell_idle(sampled);
	}
}

static void
say_no_lock(const struct sampler *sampler)
{
	if (sampler->mode == SAMPLE_GIL && !sampler->locks_seen)
		say("no thread has held an interpreter's lock or waited for "
		    "it, as far as xtrace can tell (CPython 3.11, Ruby 3.1)");
}

void
sampler_end(struct session *session)
{
	struct sampler *sampler = session->sampler;
	size_t cursor = 0;
	void *item;

	if (!sampler)
		return;
	complete_all(sampler);
	while (map_next(&session->records, &cursor, NULL, &item)) {
		struct thread_record *record = item;

		if (record->sampled)
			tell_rest(sampler, record->sampled);
	}
	say_no_lock(sampler);
	sampler->ended = true;
}

static void
sampler_thread_gone(struct thread_record *record)
{
	struct sampled *sampled = record->sampled;

	if (sampled && !sampled->sampler->ended)
		tell_rest(sampled->sampler, sampled);
	sampled_free(sampled);
	record->sampled = NULL;
}

const struct life sampler_life = {
	.thread_gone = sampler_thread_gone,
};
