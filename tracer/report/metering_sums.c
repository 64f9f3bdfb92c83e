/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums only grow, so the difference to what the sinks know is new. (If a thread
 * was moved out of a meter since the last reading, the difference may be one
 * call below 0. Additions of unsigned numbers make up for it.) Sums are read
 * while threads run, so a call may be in one of a function's numbers and not in
 * another one yet. Each number is right at the last reading.
 *
 * Durations are differences of the processor's counter. They are converted by
 * two readings of it and of the clock, at the beginning and now.
 */
#include "tracer/report/metering_parts.h"

#include "base/clock.h"
#include "base/xmalloc.h"
#include "tracer/plan/naming.h"
#include "tracer/report/metering.h"

#include <string.h>

/*
 * A part of the age by the clock is the lag of this stop (process/held.c). We
 * know only the sum of this lag and the lag of the last resume. The call began
 * after the last resume, so it is not older than the thread's own time since
 * then.
 */
void
metering_ages(const struct open_times *times, struct open_ages *ret_ages)
{
	uint64_t lag = clock_between(times->own, times->passed);
	uint64_t least = clock_between(lag, times->clock);
	uint64_t most = times->clock < times->own ? times->clock : times->own;

	*ret_ages = (struct open_ages){ least < most ? least : most, most };
}

/* Readings of the counter and of the clock count as made at one moment if the
 * counter has moved by at most so many ticks meanwhile. If not, as on a busy
 * machine, they are repeated. */
#define MOMENT_TICKS 2000u
#define MOMENT_READINGS 8u

void
metering_now(const struct arch *arch, uint64_t *ret_ticks, uint64_t *ret_clock)
{
	uint64_t least = UINT64_MAX;

	for (unsigned i = 0; i < MOMENT_READINGS && least > MOMENT_TICKS; i++) {
		uint64_t before = arch->jump->ticks(), clock = clock_now();
		uint64_t passed = arch->jump->ticks() - before;

		if (passed < least) {
			least = passed;
			*ret_ticks = before + passed / 2;
			*ret_clock = clock;
		}
	}
}

void
metering_begin(struct session *session)
{
	metering_now(arch_of_host(), &session->metering.ticks,
		     &session->metering.clock);
}

int64_t
metering_ns(const struct session *session, const struct program *program,
	    uint64_t ticks)
{
	uint64_t now, clock, passed, ns;

	metering_now(program->space->arch, &now, &clock);
	passed = now - session->metering.ticks;
	ns = clock_between(session->metering.clock, clock);

	return passed ? (int64_t)((double)(int64_t)ticks * (double)ns /
				  (double)passed)
		      : 0;
}

/*
 * xtrace measures the duration of a selected call again, and less exactly than
 * the meter. So the meter also selects a call that is a bit shorter. The ticks
 * are converted by the ratio so far, which is known within a thousandth after
 * some ms.
 */
uint64_t
metering_ticks(const struct session *session, const struct program *program,
	       uint64_t ns)
{
	static const uint64_t error = 5000;
	uint64_t least = clock_between(ns / 16 + error, ns);
	int64_t unit = metering_ns(session, program, UINT64_C(1) << 30);

	return unit > 0 ? (uint64_t)((double)least * (double)(1 << 30) /
				     (double)unit)
			: 0;
}

static struct event
new_event(struct session *session, const struct thread_record *record,
	  enum event_kind kind, struct event_call *call)
{
	return (struct event){
		.kind = kind,
		.when = session_now(session),
		.pid = record->thread->process->pid,
		.tid = record->thread->tid,
		.call = call,
	};
}

void
metering_tell_within(struct session *session,
		     const struct thread_record *record, uint64_t ticks)
{
	struct event_call call = {
		.duration =
			metering_ns(session, record->metered->program, ticks),
	};
	struct event event =
		new_event(session, record, EVENT_SUM_WITHIN, &call);

	if (ticks)
		report_event(session, &event);
}

static void
tell_sum(struct session *session, struct thread_record *record,
	 struct tracepoint *tracepoint, const struct meter_sum *more,
	 const struct event_times *times)
{
	bool several = tracepoint->use && tracepoint->use->several;
	struct event_call call = {
		.name = tracepoint->name,
		.display = several ? naming_qualified(tracepoint)
				   : tracepoint->shown,
		.module = tracepoint->module,
		.caller = tracepoint->caller,
		.entry = tracepoint->address,
		.duration = metering_ns(session, record->metered->program,
					more->ticks),
		.end = CALL_RETURNED,
	};
	struct event event = new_event(session, record, EVENT_SUM, &call);

	event.calls = more->calls;
	event.times = times;
	session->counts.begun += more->calls;
	session->counts.shown += more->calls;
	session->counts.inside += more->calls;
	report_event(session, &event);
}

/* Stores those steps of a histogram to which calls were added since the sinks
 * were told. `steps` has room for all steps. */
static size_t
new_steps(const struct session *session, const struct program *program,
	  const struct meter_whole *now, const struct meter_whole *told,
	  struct event_step *steps)
{
	size_t count = 0;

	for (unsigned i = 0; i < METER_STEPS; i++) {
		int32_t more = (int32_t)(now->steps[i] - told->steps[i]);
		int64_t ns;

		if (!more)
			continue;
		ns = metering_ns(session, program, meter_step_middle(i));
		steps[count++] = (struct event_step){
			.ns = ns > 0 ? (uint64_t)ns : 0,
			.calls = (uint64_t)(int64_t)more,
		};
	}
	return count;
}

/* Tells the sinks by how much the function's sums have grown since the last
 * reading. */
static void
read_whole(struct session *session, struct thread_record *record,
	   unsigned function)
{
	struct metered *metered = record->metered;
	struct program *program = metered->program;
	struct event_step steps[METER_STEPS];
	struct meter_whole now, *told;
	struct meter_sum more;
	struct event_times times;

	if (area_read_whole(&program->metering->area, program->space,
			    metered->block, function, &now) < 0)
		return;
	if (!metered->wholes[function])
		metered->wholes[function] = xcalloc(1, sizeof(*told));
	told = metered->wholes[function];
	more = (struct meter_sum){ now.calls - told->calls,
				   now.ticks - told->ticks };
	times = (struct event_times){
		.own = metering_ns(session, program, now.own - told->own),
		.most = (uint64_t)metering_ns(session, program, now.most),
		.most_before = now.most == told->most,
		.steps = steps,
		.count = new_steps(session, program, &now, told, steps),
	};
	tell_sum(session, record, program->metering->functions.at[function],
		 &more, &times);
	*told = now;
}

enum area_kind
metering_area_kind(const struct session *session)
{
	if (session->wants.selected)
		return session->sets ? AREA_QUERIES : AREA_KEPT;
	return session->wants.sum_times ? AREA_WHOLES : AREA_SUMS;
}

static void
read_passed(struct session *session, struct metered *metered)
{
	uint64_t passed;

	if (area_read_passed(&metered->program->metering->area,
			     metered->program->space, metered->block,
			     &passed) < 0)
		return;
	session->counts.inside += passed - metered->passed;
	metered->passed = passed;
}

void
metering_read(struct session *session, struct thread_record *record)
{
	struct metered *metered = record->metered;
	struct metering *metering = metered->program->metering;
	unsigned count = (unsigned)metering->functions.count;
	struct meter_sum sums[METER_SUMS];

	if (session->wants.selected) {
		read_passed(session, metered);
		return;
	}
	if (area_read_sums(&metering->area, metered->program->space,
			   metered->block, count, sums) < 0)
		return;
	for (unsigned i = 0; i < count; i++) {
		struct meter_sum more = {
			sums[i].calls - metered->told[i].calls,
			sums[i].ticks - metered->told[i].ticks,
		};

		if (!more.calls)
			continue;
		if (metering->area.kind == AREA_WHOLES)
			read_whole(session, record, i);
		else
			tell_sum(session, record, metering->functions.at[i],
				 &more, NULL);
		metered->told[i] = sums[i];
	}
}
