/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * seen      resumed            seen      resumed
 *	--------|##########|---------------~~|##########|~~-----------
 *	 works      held         works   lag     held    lag  works
 *
 * While a thread is held, its own time does not advance, and neither does it
 * while the thread makes system calls for xtrace. In a group-stop it advances,
 * because the group-stop would last as long without xtrace.
 *
 * The lag is the time after the trap until xtrace sees the stop, and the time
 * after the resume until the thread runs its own code. It is from 5 to some 100
 * us, depending on the scheduler. It is found for each stop: if the thread was
 * switched out only once between two stops, by the stop itself, then it neither
 * waited nor lost its CPU, and its work took as long as it used the CPU. A part
 * of the CPU time is the kernel's work for the stop. Trial stops tell how much:
 * now and then a thread is sent into the trap at which it has just stopped, so
 * that all of the time to the next stop is lag.
 *
 * If the thread runs on another CPU, we may see its stop before it is switched
 * out, and the kernel's counts then lack this switch. If much of the time
 * between the stops is neither CPU time nor lag, this may have happened, and
 * the caller reads the counts again.
 *
 * A gap. If a hypervisor takes the CPU, the thread neither runs nor is switched
 * out. A sleep may even end meanwhile: if that happens before the thread is
 * switched out for it, the kernel counts no switch. Then much of the time is
 * neither CPU time nor lag. A long lag has other reasons: the thread or xtrace
 * waited for a CPU, which the kernel counts, too, or xtrace did something else
 * before it waited for stops. What is left after these is the gap. It is in the
 * thread's work or in the kernel's work for the stop, probably in the longer of
 * the two, and it is uncertain.
 *
 * To read how long the thread and xtrace have waited for a CPU takes a part of
 * the time of a stop. Therefore it is read if there may be a gap, after slow
 * stops of which the CPU time does not tell enough, and otherwise now and then.
 * Some of the waits since the last reading may have happened before earlier
 * stops, but not for longer than the thread did not run before these stops.
 *
 * If the thread waited or lost its CPU, or if its CPU time is not known, then
 * only the lag of the fastest stop is taken off, because each stop has at least
 * this lag. Never more is taken off than the CPU time that the thread has used,
 * if that is known. By how much the lag may have been longer is the
 * uncertainty; it is larger if the CPU time is not known. If the stop came
 * later than stops do, the thread or xtrace may have waited for a CPU in the
 * lag. Then the time of their waits is uncertain, too.
 *
 * The wait for a server. While a thread is held after it has sent a request,
 * the server works on. If the thread then waits for the answer, the wait ends
 * when the server is done. That is the same moment without xtrace, so nothing
 * is taken off from the request to there. If no wait follows, the answer came
 * while the thread was held or before. We cannot know when, so nothing is taken
 * off, and this time is uncertain. When a part of the answer is there, the rest
 * probably is there, too: then time is taken off unless a wait follows. That
 * wait, for more rows, ends when the server has them, so nothing is taken off
 * since the first part. If the thread got its CPU late between two reads, the
 * server may have worked meanwhile, so the lag beyond the usual one is not
 * taken off, and is uncertain. Between two reads the thread may wait for
 * something else, as in sleep(3); such a wait gives nothing back. What the
 * thread is held before it sends delays the server, too, and is taken off.
 *
 * Times are numbers here, so this is tested without a process.
 */
#include "process/held.h"

/* A wait is never shortened by more than this many ns. */
#define SURE_LAG_MOST 20000
/* Trial stops follow the stop before at once, so the thread's code and xtrace's
 * are in the caches. Another stop may be later than all of them, by this part
 * of the latest one. */
#define LATER_PART 2
/* If the rest of an answer is awaited, not more than this is taken off as the
 * lag of one stop. */
#define LATE_MOST 100000

/* A thread that was switched out for a shorter time has hardly waited. */
#define SURE_MOST 10000

/* What happened to the thread between two of its stops. */
struct between {
	int64_t wall;
	bool known; /* the members below are valid */
	int64_t cpu;
	/* the thread was switched out only once, by the second stop */
	bool once;
	bool waited; /* the thread has waited by itself */
};

static struct between
between(const struct held_clock *held, uint64_t now,
	const struct held_count *count)
{
	struct between b = { .wall = (int64_t)(now - held->resumed) };
	uint64_t waits = count->waits - held->count.waits;

	b.cpu = (int64_t)(count->cpu - held->count.cpu);
	b.known = held->count.known && count->known && b.cpu >= 0 &&
		  b.cpu <= b.wall;
	b.once = waits == 1 && count->preempts == held->count.preempts;
	b.waited = waits > 1;
	return b;
}

bool
held_is_early(const struct held_clock *held, const struct lag *lag,
	      uint64_t now, const struct held_count *count)
{
	struct between b = between(held, now, count);
	int64_t sure = lag->near.usual + lag_idle(lag, false);

	if (sure > SURE_MOST)
		sure = SURE_MOST;
	return (held->run == HELD_WORKS || held->run == HELD_TRIES) &&
	       b.known && count->waits - held->count.waits <= 1 &&
	       b.wall - b.cpu > sure;
}

/* A gap that is shorter than this counts as lag, because 1 of 100 stops takes
 * some 30 us longer than usual. */
#define GAP_LEAST 50000
/* The delay is read after this many stops, or after this time. */
#define BASE_STOPS 16
#define BASE_NS 1000000

/* By how much the time in which the thread did not run is longer than usual; 0
 * if a gap would not be longer than the lag varies. */
static int64_t
gap_at_most(const struct held_clock *held, const struct lag *lag,
	    const struct between *b)
{
	int64_t idle = lag_idle(lag, held->far), gap = b->wall - b->cpu - idle;

	if (held->run != HELD_WORKS || !b->known || !b->once)
		return 0;
	return gap > GAP_LEAST && gap > idle * 4 ? gap : 0;
}

bool
held_is_odd(const struct held_clock *held, const struct lag *lag, uint64_t now,
	    const struct held_count *count)
{
	struct between b = between(held, now, count);

	if (!lag->wanted || held->run != HELD_WORKS)
		return false;
	if (b.known && b.once)
		return held->base.known && gap_at_most(held, lag, &b) > 0;
	return b.wall > lag_most(lag) + GAP_LEAST;
}

/* For how many ns, at least, the thread and xtrace have waited for a CPU before
 * this stop; 0 if this is not known. A wait since the last reading that may
 * have happened before an earlier stop does not count. */
static int64_t
cpu_wait(const struct held_clock *held, const struct lag *lag,
	 const struct held_count *count)
{
	int64_t delay = (int64_t)(count->delay - held->base.delay) -
			held->base.idle - lag_idle(lag, held->far);

	return held->base.known && count->delay_known && delay > 0 ? delay : 0;
}

/* For how many ns, at most, the thread and xtrace have waited for a CPU before
 * this stop, or 0 if this is not known. If the delay was never read before, it
 * may be much older than the last stop. If the thread has taken the id of the
 * main thread by an exec, its delay may be less than that one's. */
static int64_t
cpu_wait_most(const struct held_clock *held, const struct held_count *count)
{
	uint64_t before = held->base.known ? held->base.delay : 0;

	return count->delay_known && count->delay > before
		       ? (int64_t)(count->delay - before)
		       : 0;
}

/*
 * How much of the time before this stop is neither CPU time nor usual lag, and
 * has no other reason that is known: a wait for a CPU before this stop, or that
 * xtrace did something else before it began to wait for stops.
 */
static int64_t
unexplained(const struct held_clock *held, const struct lag *lag,
	    const struct between *b, const struct held_count *count)
{
	int64_t rest = b->wall - b->cpu - lag_idle(lag, held->far) -
		       cpu_wait(held, lag, count);

	if (count->waiting > held->resumed)
		rest -= (int64_t)(count->waiting - held->resumed);
	return rest > 0 ? rest : 0;
}

/* The gap before this stop, or 0. */
static int64_t
gap_of(const struct held_clock *held, const struct lag *lag,
       const struct between *b, const struct held_count *count)
{
	int64_t gap;

	if (!gap_at_most(held, lag, b) || !held->base.known ||
	    !count->delay_known || !count->waiting)
		return 0;
	gap = unexplained(held, lag, b, count);
	return gap > GAP_LEAST ? gap : 0;
}

bool
held_wants_delay(const struct held_clock *held, const struct lag *lag,
		 uint64_t now)
{
	/* Without counts it is needed for slow stops only. */
	if (!held->count.known)
		return lag->wanted && !held->base.at;
	return held->odd || held->base.stops >= BASE_STOPS ||
	       now - held->base.at >= BASE_NS;
}

void
held_waited_unknown(struct held_clock *held, uint64_t now)
{
	held->base = (struct held_base){ .at = now };
}

void
held_waited(struct held_clock *held, uint64_t now, uint64_t delay)
{
	held->base =
		(struct held_base){ .known = true, .at = now, .delay = delay };
}

/*
 * Is the gap in the thread's own work? Probably, if the work took longer than
 * the kernel's work for the stop. Of the kernel's work only half counts. In the
 * other half the thread or xtrace waits for the CPU, and a gap there is part of
 * this waiting.
 */
static bool
has_gap(int64_t ran, int64_t cost)
{
	return ran >= cost / 2;
}

/*
 * How long the thread did its own work, by its CPU time. This is uncertain by
 * as much as it is below 0, and by the time that nothing explains: even if that
 * is too little for a gap, a hypervisor may have taken the CPU in the work.
 */
static int64_t
ran_of(struct held_clock *held, struct lag *lag, const struct between *b,
       const struct held_count *count, int64_t *ret_unsure)
{
	int64_t gap = gap_of(held, lag, b, count);
	int64_t idle = gap > 0 ? lag_idle(lag, held->far) : b->wall - b->cpu;
	int64_t unsure, cost = lag_cost(lag, idle, b->cpu, &unsure);
	int64_t ran = b->cpu - cost;

	*ret_unsure = (unsure > -ran ? unsure : -ran) +
		      unexplained(held, lag, b, count);
	return gap > 0 && has_gap(ran, cost) ? ran + gap : ran;
}

/* The least lag of any stop; less if this stop cannot have had so much, because
 * the thread ran, or the clock advanced, for a shorter time. */
static int64_t
sure_lag(const struct lag *lag, const struct between *b)
{
	int64_t sure = lag_least(lag);

	if (sure > SURE_LAG_MOST)
		sure = SURE_LAG_MOST;
	if (b->known && sure > b->cpu)
		sure = b->cpu;
	return sure < b->wall ? sure : b->wall;
}

/* Subtracts the lag. Returns how long the thread did its own work. */
static int64_t
take_lag(struct held_clock *held, struct lag *lag, const struct between *b,
	 const struct held_count *count)
{
	int64_t sure = sure_lag(lag, b), worked = b->wall - sure, ran;
	int64_t unsure = lag_most(lag) - sure, unsure_ran;

	if (b->known) {
		ran = ran_of(held, lag, b, count, &unsure_ran);
		if (b->once || worked < ran)
			worked = ran;
	}
	if (b->known && b->once)
		unsure = unsure_ran;
	else
		unsure += cpu_wait_most(held, count);
	if (!b->known)
		unsure += lag_most(lag) / LATER_PART;
	held->unsure += (uint64_t)(unsure < b->wall ? unsure : b->wall);
	return worked;
}

static bool
awaiting(const struct held_clock *held)
{
	return held->asked || held->awaited > 0;
}

static void
give_back(struct held_clock *held, int64_t much)
{
	held->off -= much;
	held->meanwhile -= much;
}

/*
 * The thread has waited for a server, which worked while the thread was held,
 * so this time is not taken off. If it is not known whether the thread waited
 * or worked, it has waited for at most `worked`.
 */
static void
give_waited(struct held_clock *held, const struct between *b, int64_t worked)
{
	if (!b->known)
		give_back(held,
			  worked < held->meanwhile ? worked : held->meanwhile);
	else if (b->waited)
		give_back(held, held->meanwhile);
}

/* The thread has read a part of the answer, and has stopped late: the server
 * may have worked on the rest. */
static void
give_late(struct held_clock *held, int64_t lag)
{
	int64_t late = lag - LATE_MOST;

	if (!held->arrived || late <= 0)
		return;
	give_back(held, late);
	held->unsure += (uint64_t)late;
}

/*
 * The thread has not waited for the answer, so it is unknown when the server
 * was done.
 */
static void
end_request(struct held_clock *held)
{
	held->unsure += (uint64_t)held->meanwhile;
	if (!held->arrived)
		give_back(held, held->meanwhile);
	held->meanwhile = 0;
}

/* Adds what the stop has cost the thread until the stop was seen. A wait for a
 * CPU is no cost, because the scheduler later gives more of the CPU to a thread
 * that has waited. */
static void
spend_lag(struct held_clock *held, const struct lag *lag,
	  const struct between *b, int64_t worked,
	  const struct held_count *count)
{
	int64_t cost = b->wall - worked - cpu_wait(held, lag, count);
	int64_t usual = lag_usual(lag, held->far);

	if (held->resumed && held->run == HELD_WORKS && cost < usual)
		cost = usual < b->wall ? usual : b->wall;
	if (cost > 0)
		held->spent += (uint64_t)cost;
}

void
held_seen(struct held_clock *held, struct lag *lag, uint64_t now,
	  const struct held_count *count)
{
	struct between b = between(held, now, count);
	int64_t worked = b.wall;

	held->base.stops++;
	if (held->resumed && held->run == HELD_WORKS)
		lag_stopped(lag, b.known && b.once ? b.cpu : -1, b.wall);
	if (!held->resumed)
		worked = b.wall = 0;
	else if (held->run == HELD_WORKS)
		worked = take_lag(held, lag, &b, count);
	else if (held->run != HELD_PAUSES)
		worked = 0;
	if (held->resumed && held->run == HELD_TRIES)
		lag_tried(lag, b.known && b.once ? b.cpu : -1, b.wall);
	held->off += b.wall - worked;
	spend_lag(held, lag, &b, worked, count);
	if (awaiting(held)) {
		held->meanwhile += b.wall - worked;
		if (held->run == HELD_WORKS && !held->apart) {
			give_waited(held, &b, worked);
			give_late(held, b.waited ? 0 : b.wall - worked);
		}
	}
	held->odd = gap_at_most(held, lag, &b) > 0;
	if (b.known && b.once && !held->odd)
		held->far = lag_is_far(lag, b.wall - b.cpu);
	if (count->delay_known)
		held_waited(held, now, count->delay);
	else
		held->base.idle += b.known ? b.wall - b.cpu : b.wall;
	held->count = *count;
	held->seen = now;
}

/* The kernel rounds both parts of the CPU time, of the program's code and of
 * its own, down to microseconds (getrusage(2)). */
#define CPU_ROUNDED 2000

uint64_t
held_unsure(const struct held_clock *held, uint64_t before)
{
	return held->unsure - before + (held->count.known ? CPU_ROUNDED : 0);
}

void
held_seen_late(struct held_clock *held, uint64_t late)
{
	uint64_t ran = held->seen - held->resumed;

	held->unsure += late < ran ? late : ran;
}

void
held_resumed(struct held_clock *held, uint64_t now, enum held_run run)
{
	int64_t took = held->seen ? (int64_t)(now - held->seen) : 0;

	held->off += took;
	if (took > 0)
		held->spent += (uint64_t)took;
	if (awaiting(held))
		held->meanwhile += took;
	if (held->asks && run == HELD_WORKS) {
		held->asks = false;
		held->asked = true;
		held->arrived = false;
		held->meanwhile = 0;
	}
	held->seen = 0;
	held->resumed = now;
	held->run = run;
}

uint64_t
held_own(const struct held_clock *held, uint64_t now)
{
	return (held->seen ? held->seen : now) - (uint64_t)held->off;
}

uint64_t
held_track(struct held_clock *held, uint64_t now)
{
	uint64_t own = held_own(held, now);

	held->track = own > held->track ? own : held->track + 1;
	return held->track;
}

void
held_asks(struct held_clock *held)
{
	end_request(held);
	held->asks = true;
}

void
held_asked_over(struct held_clock *held)
{
	held->asks = held->asked = false;
	if (held->awaited == 0)
		end_request(held);
}

void
held_await(struct held_clock *held)
{
	held->awaited++;
}

void
held_arrived(struct held_clock *held)
{
	if (!held->arrived)
		end_request(held);
	held->arrived = true;
}

void
held_answered(struct held_clock *held)
{
	if (held->awaited > 0 && --held->awaited == 0)
		held_asked_over(held);
}

void
held_works_apart(struct held_clock *held)
{
	held->apart = held->awaited == 1;
}

void
held_reads(struct held_clock *held)
{
	held->apart = false;
}
