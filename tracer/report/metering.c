/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The calls of a thread are counted if it is known where its own stack is, and
 * only on that stack. The upper limit for its meters is the stack pointer of
 * the last call that xtrace follows itself: a call that begins further up would
 * have to end that call. A thread with calls on other stacks, or with a hit
 * that will come again after a signal (tracer/model/rehits), is not counted
 * until these are over.
 */
#include "tracer/report/metering.h"

#include "agent/readable.h"
#include "base/clock.h"
#include "base/die.h"
#include "base/log.h"
#include "base/xmalloc.h"
#include "breakpoints/jumps.h"
#include "process/attach.h"
#include "process/regs.h"
#include "tracer/model/rooms.h"
#include "tracer/model/say.h"
#include "tracer/plan/naming.h"
#include "tracer/report/call_arguments.h"
#include "tracer/report/metering_parts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define CHECK_NS UINT64_C(500000000)

static bool
counter_is_clock(void)
{
	static const char path[] = "/sys/devices/system/clocksource/"
				   "clocksource0/current_clocksource";
	char name[8] = "";
	FILE *file = fopen(path, "re");
	bool is;

	if (!file)
		return false;
	is = fgets(name, sizeof(name), file) && !strcmp(name, "tsc\n");
	fclose(file);
	return is;
}

bool
metering_possible(const struct session *session)
{
	const struct arch_jump *arch = arch_of_host()->jump;

	return session->options->jumps && arch && arch->ticks &&
	       counter_is_clock();
}

/* ---- open calls -----------------------------------------------------------*/

static void
set_times(struct session *session, struct thread_record *record, uint64_t began,
	  struct event_call *event)
{
	const struct metered *metered = record->metered;
	const struct program *program = metered->program;
	const struct thread *thread = record->thread;
	uint64_t seen = thread->held.seen, ticks, clock, own;
	struct open_ages ages;
	int64_t since, age;

	metering_now(program->space->arch, &ticks, &clock);
	/* If xtrace is leaving, the thread was not stopped for this reading,
	 * and `seen` is 0. */
	since = seen ? (int64_t)clock_between(seen, clock) : 0;
	age = metering_ns(session, program, ticks - began) - since;

	session_begin_time(session, record->thread, session_now(session),
			   event);
	own = session_own(session, thread, session_now(session));
	metering_ages(
		&(struct open_times){
			.clock = age > 0 ? (uint64_t)age : 0,
			.own = clock_between(metered->own, own),
			.passed = clock_between(thread->held.resumed, seen),
		},
		&ages);
	own = ages.least + (ages.most - ages.least) / 2;
	event->older = ages.most - own;
	event->began -= own;
	event->began_own -= own;
	event->began_track -= own;
	event->began_unsure -= ages.most - ages.least;
}

static void
take_query(struct hit *hit, const struct area_calls *calls, unsigned i)
{
	const struct meter_open *open = &calls->open[i];
	const struct metering *metering = hit->program->metering;
	unsigned number = area_function(&metering->area, open->sums);
	struct tracepoint *tracepoint = metering->functions.at[number];
	struct metered_text texts[METER_TEXTS];
	size_t count =
		metering_take_query(hit, open, &calls->kept[i],
				    &metering->queries.at[number], texts);
	struct call *call;

	metering_registers(hit, open, &calls->kept[i], tracepoint->address);
	call = report_begin_counted(hit, tracepoint, open->sp,
				    open->return_address);
	set_times(hit->session, hit->record, open->began, &call->event);
	metering_begin_query(hit, call, texts, count);
}

static void
begin_call(struct hit *hit, const struct area_calls *calls, unsigned i)
{
	const struct meter_open *open = &calls->open[i];
	const struct metering *metering = hit->program->metering;
	unsigned number = area_function(&metering->area, open->sums);
	struct tracepoint *tracepoint;
	struct call *call;

	if (number >= metering->functions.count)
		return;
	tracepoint = metering->functions.at[number];
	if (metering->area.kind == AREA_QUERIES) {
		take_query(hit, calls, i);
		return;
	}
	if (hit->session->wants.selected)
		metering_registers(hit, open, &calls->kept[i],
				   tracepoint->address);
	call = report_begin_counted(hit, tracepoint, open->sp,
				    open->return_address);
	set_times(hit->session, hit->record, open->began, &call->event);
	if (hit->session->wants.selected) {
		struct metered_text texts[METER_TEXTS];
		size_t count = metering_copies(hit, calls, i, texts);

		metering_tell_selected(hit, call, texts, count);
		return;
	}
	report_tell(hit->session, hit->record->thread->process->pid,
		    hit->record->thread->tid, call, EVENT_ENTRY, hit->when);
	metering_tell_within(hit->session, hit->record, open->inner);
}

/* Takes the open calls out of the thread's block, and makes them calls of
 * tracer/model/calls. The thread is stopped outside of a meter. */
static void
take_calls(struct session *session, struct thread_record *record,
	   struct site *site)
{
	struct metered *metered = record->metered;
	struct hit hit = {
		.session = session,
		.program = metered->program,
		.record = record,
		.site = site,
		.when = session_now(session),
	};
	struct area_calls calls;

	if (area_take_calls(&metered->program->metering->area,
			    metered->program->space, metered->block,
			    &calls) < 0)
		return;
	metering_tell_within(session, record, calls.inner);
	for (unsigned i = 0; i < calls.count; i++)
		begin_call(&hit, &calls, i);
	metering_follow(session, metered->program);
}

/* ---- which calls are counted ----------------------------------------------*/

/* The stack pointer below which calls are counted; 0: none is counted. */
static addr_t
limit(const struct thread_record *record)
{
	const struct calls *calls = &record->calls;
	addr_t high = calls->own_high;

	if (record->rehits.count || record->jumped || calls->away.count ||
	    record->silent || record->metered->program->loader.copies_stacks)
		return 0;
	for (size_t i = 0; i < calls->live.count; i++) {
		addr_t sp = calls->live.at[i]->sp;

		if (!calls_own_stack(calls, sp))
			return 0;
		if (sp < high)
			high = sp;
	}
	return high;
}

/*
 * The innermost call of a query that xtrace follows itself. If it was left, the
 * code in the program stops the thread at each query, until
 * calls_end_overwritten() ends the call. So no call is given that is too far
 * out to be ended there.
 */
static struct area_outer
last_probed(const struct calls *calls)
{
	const size_t count = calls->live.count;

	for (size_t n = 1; n <= count && n <= CALLS_READ_MOST; n++) {
		const struct call *call = calls->live.at[count - n];
		const struct open_call *open = report_open(call);

		if (open && open->tracepoint->kind == TRACEPOINT_PROBED)
			return (struct area_outer){ call->sp,
						    call->return_address };
	}
	return (struct area_outer){ 0 };
}

static void
open_block(struct session *session, struct thread_record *record)
{
	struct metered *metered = record->metered;
	struct program *program = metered->program;
	const struct area_outer outer = last_probed(&record->calls);
	addr_t high = limit(record);
	int r = area_open_within(&program->metering->area, program->space,
				 metered->block,
				 high ? record->calls.own_low : UINT64_MAX,
				 high, &outer);

	metered->own =
		session_own(session, record->thread, session_now(session));
	if (r < 0)
		debug("%d: its block cannot be written: %d",
		      record->thread->tid, r);
}

static void
close_block(struct thread_record *record)
{
	struct metered *metered = record->metered;

	if (area_open(&metered->program->metering->area,
		      metered->program->space, metered->block, UINT64_MAX,
		      0) < 0)
		debug("%d: its block cannot be written", record->thread->tid);
}

static void
release(struct thread_record *record)
{
	for (unsigned i = 0; record->metered && i < METER_WHOLES; i++)
		free(record->metered->wholes[i]);
	free(record->metered);
	record->metered = NULL;
}

static void
drop(struct session *session, struct thread_record *record)
{
	struct metered *metered = record->metered;

	metering_read(session, record);
	area_drop_thread(&metered->program->metering->area,
			 metered->program->space, metered->pointer,
			 metered->block);
	release(record);
}

static void
add_thread(struct hit *hit)
{
	struct thread_record *record = hit->record;
	struct metering *metering = hit->program->metering;
	const struct thread *thread = record->thread;
	addr_t pointer = regs_thread_pointer(&hit->regs);
	int block;

	if (record->silent || !record->stack_known ||
	    hit->program->loader.copies_stacks ||
	    thread->process->pid != hit->program->space->pid)
		return;
	if (attach_announce_exit(thread) < 0)
		return;
	block = area_add_thread(&metering->area, hit->program->space, pointer);
	if (block == -ENOSPC && !record->not_metered) {
		record->not_metered = true;
		hit->session->counts.threads_refused++;
	}
	if (block < 0)
		return;
	if (record->not_metered) {
		record->not_metered = false;
		hit->session->counts.threads_refused--;
	}
	hit->session->counts.metered++;
	record->metered = xcalloc(1, sizeof(*record->metered));
	record->metered->program = hit->program;
	record->metered->pointer = pointer;
	record->metered->block = (unsigned)block;
}

/* ---- stops ----------------------------------------------------------------*/

void
metering_hit(struct hit *hit)
{
	if (hit->record->metered) {
		hit->record->metered->complete = false;
		take_calls(hit->session, hit->record, hit->site);
	}
	if (hit->site->user)
		metering_tell_handles(hit);
}

static void
drop_lost_return(void *context, addr_t address)
{
	struct program *program = context;
	const struct site *site = sites_find(&program->sites, address);

	if (!site || !jumps_begun(site))
		area_drop_return(&program->metering->area, program->space,
				 address);
}

void
metering_resume(struct hit *hit)
{
	struct metering *metering = hit->program->metering;
	struct thread_record *record = hit->record;

	if (!metering || !metering->area.at)
		return;
	if (metering->forgotten != hit->program->sites.forgotten) {
		area_each_return(&metering->area, drop_lost_return,
				 hit->program);
		readable_clear(&metering->area, hit->program->space);
		metering->forgotten = hit->program->sites.forgotten;
	}
	if (record->metered &&
	    (record->metered->program != hit->program ||
	     record->metered->pointer != regs_thread_pointer(&hit->regs)))
		drop(hit->session, record);
	if (!record->metered)
		add_thread(hit);
	metering_follow(hit->session, hit->program);
	if (record->metered && !record->metered->complete)
		open_block(hit->session, record);
}

void
metering_stopped(struct session *session, struct thread_record *record,
		 enum meter_written written)
{
	struct metered *metered = record->metered;

	if (!metered)
		return;
	area_take_back(&metered->program->metering->area,
		       metered->program->space, metered->block, written);
	take_calls(session, record, NULL);
	close_block(record);
}

bool
metering_faulted(struct session *session, struct thread_record *record)
{
	struct program *program =
		session_program(session, record->thread->process->space);
	struct site *site = program ? program->sites.undone.site : NULL;

	if (!site || !program->sites.undone.own)
		return false;
	/* A meter faults if the program has forbidden itself to read the
	 * counter (prctl(2), PR_SET_TSC), or if the stack is full. In the
	 * second case the function itself will fault without the meter. */
	debug("a meter at %#" PRIxADDR " has faulted", site->address);
	if (!program->metering->refused)
		say("process %d: its calls are no longer counted or left out "
		    "inside it, because the code that did so has faulted",
		    program->space->pid);
	program->metering->refused = true;
	jumps_lift_all(&program->sites);
	return true;
}

void
metering_ends(struct session *session, struct thread_record *record)
{
	if (!record->metered)
		return;
	take_calls(session, record, NULL);
	drop(session, record);
}

int
metering_before_exec(struct hit *hit)
{
	struct thread_record *record = hit->record;

	if (!record->metered)
		return 0;
	close_block(record);
	metering_read(hit->session, record);
	record->metered->complete = true;
	return 0;
}

void
metering_leave(struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->records, &cursor, NULL, &item)) {
		struct thread_record *record = item;

		if (!record->metered)
			continue;
		/* A call that is open now had not returned when the meters were
		 * removed. */
		take_calls(session, record, NULL);
		drop(session, record);
	}
}

/* Looks for pages that were unmapped, at most once per second for each program,
 * although it is called for each thread. */
static void
check_pages(struct program *program)
{
	uint64_t now = clock_now();

	if (now - program->metering->checked < CHECK_NS)
		return;
	program->metering->checked = now;
	readable_check(&program->metering->area, program->space);
}

void
metering_tick(struct session *session)
{
	size_t cursor = 0;
	void *item;

	while (map_next(&session->records, &cursor, NULL, &item)) {
		struct thread_record *record = item;

		if (!record->metered)
			continue;
		metering_read(session, record);
		check_pages(record->metered->program);
		metering_follow(session, record->metered->program);
	}
}

/* ---- lives ----------------------------------------------------------------*/

/* The tables of the area have 258 KiB, of which most programs use nothing: the
 * kernel gives them memory when they are written. */
static void
metering_born(struct program *program)
{
	void *memory =
		mmap(NULL, sizeof(*program->metering), PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (memory == MAP_FAILED)
		die("out of memory");
	program->metering = memory;
}

static void
metering_copied(struct program *child, const struct program *parent)
{
	(void)parent;
	metering_born(child);
}

static void
metering_gone(struct program *program)
{
	struct metering *metering = program->metering;

	for (size_t i = 0; i < metering->functions.count; i++)
		plan_unref(metering->functions.at[i]->plan);
	vec_release(&metering->functions);
	vec_release(&metering->selects);
	vec_release(&metering->queries);
	vec_release(&metering->followed);
	munmap(metering, sizeof(*metering));
	program->metering = NULL;
}

/* The thread or its memory no longer exists, so its block cannot be read any
 * more. Tells the user if calls may be missing. */
static void
forget(struct thread_record *record)
{
	const struct metered *metered = record->metered;
	struct session *session;

	if (!metered)
		return;
	session = metered->program->session;
	if (!metered->complete && !session->leaving) {
		session->counts.metered_lost++;
		say("process %d was killed, or has called exec unseen: calls "
		    "of "
		    "its last second may not be %s",
		    record->thread->process->pid,
		    session->wants.selected ? "shown" : "counted");
	}
	release(record);
}

const struct life metering_life = {
	.born = metering_born,
	.copied = metering_copied,
	.gone = metering_gone,
	.thread_gone = forget,
	.execed = forget,
};
